# torch_tidy_enable(<target>... [CHECKS <list>] [WARNINGS_AS_ERRORS])
#
# Runs torch-clang-tidy with every compilation of the targets. CHECKS is as for --checks (default: -*,torch-*); with
# WARNINGS_AS_ERRORS a report fails the build.
#
# After find_package(torch_tidy_checks), or with this file alone, where TORCH_CLANG_TIDY or PATH says where the program is.
function(torch_tidy_enable)
  cmake_parse_arguments(arg "WARNINGS_AS_ERRORS" "CHECKS" "" ${ARGN})
  find_program(TORCH_CLANG_TIDY torch-clang-tidy HINTS "${TORCH_TIDY_BINDIR}" REQUIRED)
  if(NOT arg_CHECKS)
    set(arg_CHECKS "-*,torch-*")
  endif()
  set(command "${TORCH_CLANG_TIDY}" "--checks=${arg_CHECKS}" --quiet)
  if(arg_WARNINGS_AS_ERRORS)
    list(APPEND command "--warnings-as-errors=torch-*")
  endif()
  foreach(target IN LISTS arg_UNPARSED_ARGUMENTS)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "torch_tidy_enable: there is no target '${target}'")
    endif()
    set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "${command}")
  endforeach()
endfunction()
