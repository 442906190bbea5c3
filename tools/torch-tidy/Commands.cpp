//===--- Commands.cpp -------------------------------------------------------===//
#include "Commands.h"
#include "Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Path.h"
#include <optional>

namespace torch_tidy::runner {

using llvm::StringRef;

namespace {

/// How a flag of another compiler is read.
enum class Does {
  Drop,       ///< means nothing for an analysis
  DropNext,   ///< the same, with a value in the next argument (or after '=')
  Pass,       ///< holds flags of the host compiler, separated by commas
  Include,    ///< clang spells it -I
  System,     ///< clang spells it -isystem
  Define,     ///< clang spells it -D
  Undefine,   ///< clang spells it -U
  PreInclude, ///< clang spells it -include
  Standard,   ///< clang spells it -std=
  Language,   ///< clang spells it -x; `cu` is clang's `cuda`
};

struct Flag {
  const char *Name;
  Does What;
};

/// nvcc's flags, from `nvcc --help` of CUDA 13.0; what is not here is passed on.
constexpr Flag NvccFlags[] = {
    {"-gencode", Does::DropNext},
    {"--generate-code", Does::DropNext},
    {"-arch", Does::DropNext},
    {"--gpu-architecture", Does::DropNext},
    {"-code", Does::DropNext},
    {"--gpu-code", Does::DropNext},
    {"-ccbin", Does::DropNext},
    {"--compiler-bindir", Does::DropNext},
    {"-Xptxas", Does::DropNext},
    {"--ptxas-options", Does::DropNext},
    {"-Xnvlink", Does::DropNext},
    {"--nvlink-options", Does::DropNext},
    {"-Xfatbin", Does::DropNext},
    {"--fatbin-options", Does::DropNext},
    {"-Xarchive", Does::DropNext},
    {"-Xlinker", Does::DropNext},
    {"--linker-options", Does::DropNext},
    {"-Xcudafe", Does::DropNext},
    {"-Xnvvm", Does::DropNext},
    {"-diag-suppress", Does::DropNext},
    {"--diag-suppress", Does::DropNext},
    {"-diag-error", Does::DropNext},
    {"--diag-error", Does::DropNext},
    {"-diag-warn", Does::DropNext},
    {"--diag-warn", Does::DropNext},
    {"-maxrregcount", Does::DropNext},
    {"--maxrregcount", Does::DropNext},
    {"-threads", Does::DropNext},
    {"--threads", Does::DropNext},
    {"-t", Does::DropNext},
    {"-rdc", Does::DropNext},
    {"--relocatable-device-code", Does::DropNext},
    {"-cudart", Does::DropNext},
    {"--cudart", Does::DropNext},
    {"-cudadevrt", Does::DropNext},
    {"--cudadevrt", Does::DropNext},
    {"-odir", Does::DropNext},
    {"--output-directory", Does::DropNext},
    {"-keep-dir", Does::DropNext},
    {"--keep-dir", Does::DropNext},
    {"-split-compile", Does::DropNext},
    {"--split-compile", Does::DropNext},
    {"-optf", Does::DropNext},
    {"--options-file", Does::DropNext},
    {"-default-stream", Does::DropNext},
    {"--default-stream", Does::DropNext},
    {"-ftz", Does::DropNext},
    {"--ftz", Does::DropNext},
    {"-prec-div", Does::DropNext},
    {"--prec-div", Does::DropNext},
    {"-prec-sqrt", Does::DropNext},
    {"--prec-sqrt", Does::DropNext},
    {"-fmad", Does::DropNext},
    {"--fmad", Does::DropNext},
    {"-m", Does::DropNext},
    {"--machine", Does::DropNext},
    {"-expt-relaxed-constexpr", Does::Drop},
    {"--expt-relaxed-constexpr", Does::Drop},
    {"-expt-extended-lambda", Does::Drop},
    {"--expt-extended-lambda", Does::Drop},
    {"-extended-lambda", Does::Drop},
    {"--extended-lambda", Does::Drop},
    {"-use_fast_math", Does::Drop},
    {"--use_fast_math", Does::Drop},
    {"-lineinfo", Does::Drop},
    {"--generate-line-info", Does::Drop},
    {"-G", Does::Drop},
    {"--device-debug", Does::Drop},
    {"-dc", Does::Drop},
    {"--device-c", Does::Drop},
    {"-dw", Does::Drop},
    {"-dlink", Does::Drop},
    {"--device-link", Does::Drop},
    {"-extra-device-vectorization", Does::Drop},
    {"--extra-device-vectorization", Does::Drop},
    {"-keep", Does::Drop},
    {"--keep", Does::Drop},
    {"-res-usage", Does::Drop},
    {"--resource-usage", Does::Drop},
    {"-source-in-ptx", Does::Drop},
    {"--source-in-ptx", Does::Drop},
    {"-restrict", Does::Drop},
    {"--restrict", Does::Drop},
    {"-forward-unknown-to-host-compiler", Does::Drop},
    {"--forward-unknown-to-host-compiler", Does::Drop},
    {"-forward-unknown-opts", Does::Drop},
    {"-dryrun", Does::Drop},
    {"--compile", Does::Drop},
    {"-Xcompiler", Does::Pass},
    {"--compiler-options", Does::Pass},
    {"--include-path", Does::Include},
    {"-isystem", Does::System},
    {"--system-include", Does::System},
    {"--define-macro", Does::Define},
    {"--undefine-macro", Does::Undefine},
    {"--pre-include", Does::PreInclude},
    {"-std", Does::Standard},
    {"--std", Does::Standard},
    {"-x", Does::Language},
    {"--x", Does::Language},
};

/// Flags of GCC that clang refuses.
const char *const GccOnly[] = {"-fno-canonical-system-headers",
                               "-fno-gnu-unique",
                               "-fconserve-stack",
                               "-mno-fp-ret-in-387",
                               "-fno-allow-store-data-races",
                               "-fipa-pta",
                               "-fno-tree-vectorize",
                               "-fno-var-tracking-assignments",
                               "-fno-reorder-functions"};

/// Flags about outputs, dependencies and warnings, with the number of arguments they take.
int outputFlag(StringRef Argument) {
  for (StringRef Name : {"-o", "-MF", "-MT", "-MQ", "-MJ", "--output", "--output-file"})
    if (Argument == Name)
      return 2;
  if (Argument == "-c" || Argument == "-S" || Argument == "-E" || Argument == "--preprocess" ||
      Argument == "-M" || Argument == "-MD" || Argument == "-MM" || Argument == "-MMD" ||
      Argument == "-MP" || Argument == "-MG" || Argument == "-pipe" || Argument == "-fsyntax-only")
    return 1;
  if (Argument.size() > 2 && (Argument.substr(0, 3) == "-MF" || Argument.substr(0, 3) == "-MT" ||
                              Argument.substr(0, 3) == "-MQ"))
    return 1;
  // -Wp,-DX and -Wl, are no warnings; the first hands flags to the preprocessor.
  if (Argument.substr(0, 2) == "-W" && Argument.substr(0, 4) != "-Wp,")
    return 1;
  if (Argument == "-w" || (Argument.size() > 2 && Argument.substr(0, 2) == "-o"))
    return 1;
  return 0;
}

/// The value of a flag that stands in the next argument or behind '='; moves \p I on.
std::optional<std::string> valueOf(StringRef Name, llvm::ArrayRef<std::string> Arguments,
                                   size_t &I) {
  StringRef Argument = Arguments[I];
  if (Argument == Name)
    return I + 1 < Arguments.size() ? std::optional<std::string>(Arguments[++I]) : std::nullopt;
  return Argument.drop_front(Name.size() + 1).str();
}

bool isNvcc(StringRef Compiler) { return llvm::sys::path::stem(Compiler) == "nvcc"; }

const Flag *nvccFlag(StringRef Argument) {
  for (const Flag &F : NvccFlags) {
    const StringRef Name = F.Name;
    if (Argument == Name ||
        (Argument.size() > Name.size() && Argument.substr(0, Name.size()) == Name &&
         Argument[Name.size()] == '=' && F.What != Does::Drop))
      return &F;
  }
  return nullptr;
}

/// The flags of nvcc as those of clang, still with outputs and warnings.
std::vector<std::string> translateNvcc(llvm::ArrayRef<std::string> Arguments, StringRef File,
                                       bool &Cuda, std::string &Problem) {
  std::vector<std::string> Result = {Arguments.front()};
  Cuda = llvm::sys::path::extension(File) == ".cu";
  for (size_t I = 1; I < Arguments.size(); ++I) {
    const Flag *F = nvccFlag(Arguments[I]);
    if (!F) {
      Result.push_back(Arguments[I]);
      continue;
    }
    if (F->What == Does::Drop)
      continue;
    std::optional<std::string> Value = valueOf(F->Name, Arguments, I);
    if (!Value) {
      Problem = std::string("nvcc's ") + F->Name + " has no value";
      return Result;
    }
    switch (F->What) {
    case Does::Drop:
    case Does::DropNext:
      break;
    case Does::Pass: {
      llvm::SmallVector<StringRef, 8> Parts;
      StringRef(*Value).split(Parts, ',', -1, false);
      for (StringRef Part : Parts)
        Result.push_back(Part.trim("'\"").str());
      break;
    }
    case Does::Include:
      Result.push_back("-I" + *Value);
      break;
    case Does::System:
      Result.insert(Result.end(), {"-isystem", *Value});
      break;
    case Does::Define:
      Result.push_back("-D" + *Value);
      break;
    case Does::Undefine:
      Result.push_back("-U" + *Value);
      break;
    case Does::PreInclude:
      Result.insert(Result.end(), {"-include", *Value});
      break;
    case Does::Standard:
      Result.push_back("-std=" + *Value);
      break;
    case Does::Language:
      Cuda = *Value == "cu";
      if (!Cuda)
        Result.insert(Result.end(), {"-x", *Value});
      break;
    }
  }
  return Result;
}

} // namespace

ClangCommand clangCommand(llvm::ArrayRef<std::string> Given, StringRef File) {
  ClangCommand Result;
  if (Given.empty()) {
    Result.Problem = "the command is empty";
    return Result;
  }
  std::vector<std::string> Arguments(Given.begin(), Given.end());
  const bool Nvcc = isNvcc(Arguments.front());
  if (Nvcc)
    Arguments = translateNvcc(Arguments, File, Result.Cuda, Result.Problem);
  else
    Result.Cuda = llvm::sys::path::extension(File) == ".cu";
  const StringRef Language = llvm::sys::path::extension(File);
  if (Language == ".s" || Language == ".S" || Language == ".asm" || Language == ".f90")
    Result.Problem = "not C++";
  Result.Arguments.push_back(Nvcc ? "clang++" : Arguments.front());
  if (Result.Cuda) {
    for (const char *Flag :
         {"-x", "cuda", "--cuda-host-only", "-nocudalib", "--no-cuda-version-check"})
      Result.Arguments.push_back(Flag);
    if (Nvcc && llvm::sys::path::is_absolute(Arguments.front())) {
      const StringRef Root =
          llvm::sys::path::parent_path(llvm::sys::path::parent_path(Arguments.front()));
      Result.Arguments.push_back("--cuda-path=" + Root.str());
      Result.Arguments.push_back("-I" + Root.str() + "/include/cccl");
    }
  }
  for (size_t I = 1; I < Arguments.size(); ++I) {
    if (int Count = outputFlag(Arguments[I])) {
      I += Count - 1;
      continue;
    }
    if (llvm::is_contained(GccOnly, StringRef(Arguments[I])))
      continue;
    Result.Arguments.push_back(Arguments[I]);
  }
  return Result;
}

std::vector<std::string> flagsOf(llvm::ArrayRef<std::string> Arguments, StringRef File) {
  std::vector<std::string> Result;
  for (StringRef Argument : Arguments)
    // Debug information changes nothing that a header says.
    if (Argument != File && Argument != "--" && Argument.substr(0, 2) != "-g")
      Result.push_back(Argument.str());
  return Result;
}

std::vector<std::string> includeDirectories(llvm::ArrayRef<std::string> Arguments,
                                            StringRef Directory) {
  std::vector<std::string> Quoted, Plain, System;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    for (auto [Name, List] : {std::pair<StringRef, std::vector<std::string> *>("-iquote", &Quoted),
                              {"-isystem", &System},
                              {"-idirafter", &System},
                              {"-I", &Plain}}) {
      StringRef Argument = Arguments[I];
      if (Argument == Name && I + 1 < Arguments.size()) {
        List->push_back(absolute(Arguments[++I], Directory));
        break;
      }
      if (Argument.consume_front(Name) && !Argument.empty()) {
        List->push_back(absolute(Argument, Directory));
        break;
      }
    }
  }
  for (auto *List : {&Plain, &System})
    Quoted.insert(Quoted.end(), List->begin(), List->end());
  return Quoted;
}

} // namespace torch_tidy::runner
