# The LibTorch installations that the tests read, each with a precompiled header for the clang of the chosen LLVM:
# a file that includes <torch/torch.h> takes about 10 s to parse, and about 1 s with the precompiled header.
#
#   TORCH_TIDY_TEST_TORCH      prefixes of LibTorch installations (/usr for Debian's libtorch-dev, or the torch folder of
#                              an unpacked PyPI wheel); the first is the one that every LLVM is tested with
#   TORCH_TIDY_TORCH_NAMES     one name for each, such as torch1.13
# and for each of these names
#   TORCH_TIDY_<name>_FLAGS    compiler flags: language version and include directories
#   TORCH_TIDY_<name>_STD      the language version, such as c++17
#   TORCH_TIDY_<name>_PCH      the precompiled header; the target torch_tidy_pch builds all of them
if(DEFINED ENV{TORCH_TIDY_CACHE})
  set(_cache "$ENV{TORCH_TIDY_CACHE}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(_cache "$ENV{XDG_CACHE_HOME}/torch-tidy")
else()
  set(_cache "$ENV{HOME}/.cache/torch-tidy")
endif()
set(_default /usr)
if(TORCH_TIDY_LLVM GREATER_EQUAL 22 AND EXISTS "${_cache}/torch-2.11.0/torch")
  list(APPEND _default "${_cache}/torch-2.11.0/torch")
endif()
set(TORCH_TIDY_TEST_TORCH "${_default}" CACHE STRING "Prefixes of the LibTorch installations to test with")

find_program(TORCH_TIDY_CLANGXX NAMES clang++ PATHS "${TORCH_TIDY_LLVM_PREFIX}/bin" NO_DEFAULT_PATH REQUIRED)
add_custom_target(torch_tidy_pch ALL)
set(TORCH_TIDY_TORCH_NAMES "")

function(_torch_tidy_torch_version prefix out)
  # 1.x states its version in the C++ frontend's header, later ones in one that it includes.
  set(text "")
  foreach(header torch/csrc/api/include/torch/version.h torch/headeronly/version.h)
    if(EXISTS "${prefix}/include/${header}")
      file(READ "${prefix}/include/${header}" content)
      string(APPEND text "${content}")
    endif()
  endforeach()
  if(NOT text MATCHES "define TORCH_VERSION_MAJOR ([0-9]+)")
    message(FATAL_ERROR "no LibTorch in ${prefix}: install libtorch-dev (tools/install-deps.sh does), or set TORCH_TIDY_TEST_TORCH")
  endif()
  set(major "${CMAKE_MATCH_1}")
  string(REGEX MATCH "define TORCH_VERSION_MINOR ([0-9]+)" _ "${text}")
  set(${out} "${major}.${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

macro(_torch_tidy_add_torch prefix)
  _torch_tidy_torch_version("${prefix}" _version)
  set(_name "torch${_version}")
  list(APPEND TORCH_TIDY_TORCH_NAMES ${_name})
  # LibTorch 1.x does not compile as C++20 with libstdc++ 12.
  if(_version VERSION_LESS 2)
    set(TORCH_TIDY_${_name}_STD c++17)
  else()
    set(TORCH_TIDY_${_name}_STD c++20)
  endif()
  set(TORCH_TIDY_${_name}_FLAGS -std=${TORCH_TIDY_${_name}_STD})
  if(NOT "${prefix}" STREQUAL "/usr")
    list(APPEND TORCH_TIDY_${_name}_FLAGS -isystem "${prefix}/include")
  endif()
  list(APPEND TORCH_TIDY_${_name}_FLAGS -isystem "${prefix}/include/torch/csrc/api/include")
  set(TORCH_TIDY_${_name}_PCH "${CMAKE_BINARY_DIR}/pch/${_name}.pch")
  add_custom_command(
    OUTPUT "${TORCH_TIDY_${_name}_PCH}"
    COMMAND "${TORCH_TIDY_CLANGXX}" -x c++-header ${TORCH_TIDY_${_name}_FLAGS} -fpch-instantiate-templates
      -MD -MF "${TORCH_TIDY_${_name}_PCH}.d" -MT "${TORCH_TIDY_${_name}_PCH}"
      -o "${TORCH_TIDY_${_name}_PCH}" "${PROJECT_SOURCE_DIR}/cmake/torch_pch.h"
    DEPENDS "${PROJECT_SOURCE_DIR}/cmake/torch_pch.h" "${TORCH_TIDY_CLANGXX}"
    DEPFILE "${TORCH_TIDY_${_name}_PCH}.d"
    COMMENT "Precompiling LibTorch ${_version} with clang ${TORCH_TIDY_LLVM}"
    VERBATIM)
  # The same for the scripts of tools/.
  list(JOIN TORCH_TIDY_${_name}_FLAGS "\" \"" _flags)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/pch/${_name}.sh" @ONLY CONTENT
"TIDY=\"@TORCH_TIDY_CLANG_TIDY@\"
CLANGXX=\"@TORCH_TIDY_CLANGXX@\"
PLUGIN=\"@CMAKE_BINARY_DIR@/TorchTidyPlugin.so\"
TORCH_FLAGS=(\"@_flags@\")
TORCH_PCH=\"@CMAKE_BINARY_DIR@/pch/@_name@.pch\"
")
  add_custom_target(torch_tidy_pch_${_name} DEPENDS "${TORCH_TIDY_${_name}_PCH}")
  add_dependencies(torch_tidy_pch torch_tidy_pch_${_name})
endmacro()

foreach(_prefix IN LISTS TORCH_TIDY_TEST_TORCH)
  _torch_tidy_add_torch("${_prefix}")
endforeach()
