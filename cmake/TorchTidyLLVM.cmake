# Finds one LLVM major with the development files of clang and of clang-tidy, and sets
#   TORCH_TIDY_LLVM          the major version
#   TORCH_TIDY_LLVM_PREFIX   its installation prefix
#   TORCH_TIDY_CLANG_TIDY    its clang-tidy
# and the interface library torch_tidy_llvm (include directories and flags for the module).
set(_torch_tidy_majors 22 21 20 19 18 17 16 15 14)

function(_torch_tidy_usable major out)
  set(prefix "/usr/lib/llvm-${major}")
  if(EXISTS "${prefix}/include/clang-tidy/ClangTidyCheck.h"
     AND EXISTS "${prefix}/include/llvm/Config/llvm-config.h")
    set(${out} "${prefix}" PARENT_SCOPE)
  else()
    set(${out} "" PARENT_SCOPE)
  endif()
endfunction()

if(NOT TORCH_TIDY_LLVM)
  foreach(major IN LISTS _torch_tidy_majors)
    _torch_tidy_usable(${major} prefix)
    if(prefix)
      set(TORCH_TIDY_LLVM ${major})
      break()
    endif()
  endforeach()
  if(NOT TORCH_TIDY_LLVM)
    message(FATAL_ERROR
      "no LLVM 14 to 22 with clang-tidy's headers was found; run tools/install-deps.sh, or install "
      "libclang-22-dev, llvm-22-dev and clang-tidy-22")
  endif()
endif()
if(NOT TORCH_TIDY_LLVM IN_LIST _torch_tidy_majors)
  message(FATAL_ERROR "TORCH_TIDY_LLVM=${TORCH_TIDY_LLVM} is not supported: give a major version from 14 to 22")
endif()
_torch_tidy_usable(${TORCH_TIDY_LLVM} TORCH_TIDY_LLVM_PREFIX)
if(NOT TORCH_TIDY_LLVM_PREFIX)
  message(FATAL_ERROR
    "LLVM ${TORCH_TIDY_LLVM} has no clang-tidy headers here; install libclang-${TORCH_TIDY_LLVM}-dev, "
    "llvm-${TORCH_TIDY_LLVM}-dev and clang-tidy-${TORCH_TIDY_LLVM} (tools/install-deps.sh does)")
endif()
find_program(TORCH_TIDY_CLANG_TIDY clang-tidy-${TORCH_TIDY_LLVM} REQUIRED)
message(STATUS "torch-tidy: LLVM ${TORCH_TIDY_LLVM} in ${TORCH_TIDY_LLVM_PREFIX}")

add_library(torch_tidy_llvm INTERFACE)
target_include_directories(torch_tidy_llvm SYSTEM INTERFACE "${TORCH_TIDY_LLVM_PREFIX}/include")
target_compile_definitions(torch_tidy_llvm INTERFACE
  __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS _GNU_SOURCE)
# LLVM is built without RTTI and without exceptions, and so is what is loaded into it.
target_compile_options(torch_tidy_llvm INTERFACE -fno-rtti -fno-exceptions)
