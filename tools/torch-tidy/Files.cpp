//===--- Files.cpp ----------------------------------------------------------===//
#include "Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <unistd.h>

namespace torch_tidy::runner {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static llvm::Error cannot(llvm::StringRef What, llvm::StringRef Path, std::error_code Why) {
  return llvm::createStringError(Why, "cannot %s %s: %s", What.str().c_str(), Path.str().c_str(),
                                 Why.message().c_str());
}

llvm::Error writeAtomically(llvm::StringRef Path, llvm::StringRef Text) {
  llvm::SmallString<256> Target;
  if (fs::real_path(Path, Target))
    Target = Path;
  fs::perms Mode = fs::perms(0644);
  if (auto Status = fs::getPermissions(Target))
    Mode = *Status;
  llvm::Expected<fs::TempFile> Temp = fs::TempFile::create(Target + ".torch-tidy-%%%%%%%%", Mode);
  if (!Temp)
    return cannot("write beside", Target, llvm::errorToErrorCode(Temp.takeError()));
  std::error_code Failed;
  {
    llvm::raw_fd_ostream OS(Temp->FD, /*shouldClose=*/false);
    OS << Text;
    OS.flush();
    Failed = OS.error();
    OS.clear_error();
  }
  if (!Failed && ::fsync(Temp->FD) != 0)
    Failed = std::error_code(errno, std::generic_category());
  if (!Failed)
    Failed = fs::setPermissions(Temp->FD, Mode);
  if (Failed) {
    llvm::consumeError(Temp->discard());
    return cannot("write", Target, Failed);
  }
  if (llvm::Error E = Temp->keep(Target))
    return cannot("write", Target, llvm::errorToErrorCode(std::move(E)));
  return llvm::Error::success();
}

llvm::Error writeIfChanged(llvm::StringRef Path, llvm::StringRef Text) {
  auto Old = llvm::MemoryBuffer::getFile(Path);
  if (Old && (*Old)->getBuffer() == Text)
    return llvm::Error::success();
  return writeAtomically(Path, Text);
}

llvm::Expected<std::string> readFile(llvm::StringRef Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  if (!Buffer)
    return cannot("read", Path, Buffer.getError());
  return (*Buffer)->getBuffer().str();
}

std::string absolute(llvm::StringRef Path, llvm::StringRef Directory) {
  llvm::SmallString<256> Result(Path);
  if (!path::is_absolute(Result)) {
    Result = Directory;
    path::append(Result, Path);
  }
  path::remove_dots(Result, /*remove_dot_dot=*/true);
  return Result.str().str();
}

bool isBelow(llvm::StringRef Path, llvm::StringRef Root) {
  return Root == "/" || (Path.consume_front(Root) && (Path.empty() || Path.front() == '/'));
}

std::string relativeTo(llvm::StringRef Path, llvm::StringRef Root) {
  if (!isBelow(Path, Root) || Path == Root)
    return Path.str();
  return Path.drop_front(Root.size()).ltrim('/').str();
}

std::string shellQuoted(llvm::StringRef Text) {
  if (!Text.empty() &&
      Text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "_-+=./,:@%") == llvm::StringRef::npos)
    return Text.str();
  std::string Result = "'";
  for (char C : Text)
    Result += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Result + "'";
}

llvm::Expected<CommandOutput> runCommand(llvm::ArrayRef<std::string> Command) {
  auto Program = llvm::sys::findProgramByName(Command.front());
  if (!Program)
    return failure("'%s' is not installed", Command.front().c_str());
  llvm::SmallString<128> Out, Err;
  for (auto *File : {&Out, &Err})
    if (std::error_code Failed = fs::createTemporaryFile("torch-tidy", "txt", *File))
      return cannot("write to", "the temporary directory", Failed);
  llvm::FileRemover RemoveOut(Out), RemoveErr(Err);
  const std::vector<llvm::StringRef> Arguments(Command.begin(), Command.end());
  std::string Message;
  CommandOutput Result;
  Result.Status =
      llvm::sys::ExecuteAndWait(*Program, Arguments, std::nullopt,
                                {llvm::StringRef(""), Out.str(), Err.str()}, 0, 0, &Message);
  if (Result.Status < 0)
    return failure("'%s' failed: %s", Command.front().c_str(), Message.c_str());
  for (auto [File, Text] : {std::pair(&Out, &Result.Out), std::pair(&Err, &Result.Err)}) {
    auto Read = readFile(*File);
    if (!Read)
      return Read.takeError();
    *Text = std::move(*Read);
  }
  return Result;
}

} // namespace torch_tidy::runner
