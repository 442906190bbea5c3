# The libraries that programs with the checks built in link: LLVM's and clang's shared ones, and the parts of clang-tidy
# that are in no shared library. Sets
#   TORCH_TIDY_LLVM_LIBRARIES     libclang-cpp.so and libLLVM.so
#   TORCH_TIDY_TIDY_LIBRARIES     clang-tidy without its checks and its main program
#   TORCH_TIDY_RESOURCE_DIR       the directory of clang's own headers, such as /usr/lib/llvm-22/lib/clang/22
# Debian's packages have these libraries by their versioned names only.
find_library(TORCH_TIDY_CLANG_CPP
  NAMES libclang-cpp.so.${TORCH_TIDY_LLVM}.1 libclang-cpp.so.${TORCH_TIDY_LLVM}
  HINTS "${TORCH_TIDY_LLVM_PREFIX}/lib" REQUIRED)
find_library(TORCH_TIDY_LIBLLVM NAMES libLLVM.so.${TORCH_TIDY_LLVM}.1 LLVM-${TORCH_TIDY_LLVM}
  HINTS "${TORCH_TIDY_LLVM_PREFIX}/lib" REQUIRED)
# The parts of clang-tidy that are in no shared library.
set(TORCH_TIDY_TIDY_LIBRARIES "")
foreach(_library clangTidy clangTidyUtils)
  find_library(TORCH_TIDY_LIB_${_library} ${_library} PATHS "${TORCH_TIDY_LLVM_PREFIX}/lib" NO_DEFAULT_PATH REQUIRED)
  list(APPEND TORCH_TIDY_TIDY_LIBRARIES "${TORCH_TIDY_LIB_${_library}}")
endforeach()
set(TORCH_TIDY_LLVM_LIBRARIES "${TORCH_TIDY_CLANG_CPP}" "${TORCH_TIDY_LIBLLVM}")
find_program(TORCH_TIDY_CLANGXX NAMES clang++ PATHS "${TORCH_TIDY_LLVM_PREFIX}/bin" NO_DEFAULT_PATH REQUIRED)
execute_process(COMMAND "${TORCH_TIDY_CLANGXX}" -print-resource-dir
  OUTPUT_VARIABLE TORCH_TIDY_RESOURCE_DIR OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# torch_tidy_llvm_archives(<variable> <pattern>...): the static libraries of LLVM's prefix whose names match.
function(torch_tidy_llvm_archives out)
  set(found "")
  foreach(pattern IN LISTS ARGN)
    file(GLOB archives "${TORCH_TIDY_LLVM_PREFIX}/lib/lib${pattern}.a")
    list(APPEND found ${archives})
  endforeach()
  list(SORT found)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
