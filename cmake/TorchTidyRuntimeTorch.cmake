# Finds LibTorch's headers and libraries and makes torch_tidy::libtorch of them. Sets
#   TORCH_TIDY_LIBTORCH_PREFIX   where it was found
#   TORCH_TIDY_LIBTORCH_CUDA     whether it was built with CUDA and CUDA's headers are here
#
# A target `torch` that find_package(Torch) made before is used as it is. Otherwise this does not go
# through find_package(Torch): LibTorch's own package of a CUDA build needs nvcc and every library
# of CUDA, also to use the CPU alone. Looked for in TORCH_TIDY_LIBTORCH, Torch_DIR,
# CMAKE_PREFIX_PATH and the system's directories; a `torch` folder of a Python wheel is a prefix.
if(TARGET torch_tidy::libtorch)
  return()
endif()

set(TORCH_TIDY_LIBTORCH "" CACHE PATH "Prefix of LibTorch (the folder with include/ and lib/)")
set(TORCH_TIDY_CUDA AUTO CACHE STRING "Use LibTorch's CUDA: ON, OFF, or AUTO (where it has it)")

set(_torch_tidy_hints ${TORCH_TIDY_LIBTORCH})
if(Torch_DIR)
  list(APPEND _torch_tidy_hints "${Torch_DIR}/../../.." "${Torch_DIR}/../../../..")
endif()
find_path(TORCH_TIDY_LIBTORCH_INCLUDE ATen/core/Tensor.h
  HINTS ${_torch_tidy_hints} PATH_SUFFIXES include REQUIRED)
get_filename_component(TORCH_TIDY_LIBTORCH_PREFIX "${TORCH_TIDY_LIBTORCH_INCLUDE}" DIRECTORY)
foreach(_torch_tidy_lib torch_cpu c10)
  find_library(TORCH_TIDY_LIBTORCH_${_torch_tidy_lib} ${_torch_tidy_lib}
    HINTS "${TORCH_TIDY_LIBTORCH_PREFIX}/lib" REQUIRED)
endforeach()

add_library(torch_tidy::libtorch INTERFACE IMPORTED)
if(TARGET torch)
  target_link_libraries(torch_tidy::libtorch INTERFACE torch)
else()
  target_include_directories(torch_tidy::libtorch INTERFACE
    "${TORCH_TIDY_LIBTORCH_INCLUDE}"
    "${TORCH_TIDY_LIBTORCH_INCLUDE}/torch/csrc/api/include")
  target_link_libraries(torch_tidy::libtorch INTERFACE
    "${TORCH_TIDY_LIBTORCH_torch_cpu}" "${TORCH_TIDY_LIBTORCH_c10}")
endif()

set(TORCH_TIDY_LIBTORCH_CUDA OFF)
if(NOT TORCH_TIDY_CUDA STREQUAL "OFF")
  find_library(TORCH_TIDY_LIBTORCH_c10_cuda c10_cuda
    PATHS "${TORCH_TIDY_LIBTORCH_PREFIX}/lib" NO_DEFAULT_PATH)
  find_path(TORCH_TIDY_CUDA_INCLUDE cuda_runtime_api.h
    HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES include)
  find_library(TORCH_TIDY_CUDART cudart
    HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES lib64 lib)
  if(TORCH_TIDY_LIBTORCH_c10_cuda AND TORCH_TIDY_CUDA_INCLUDE AND TORCH_TIDY_CUDART)
    set(TORCH_TIDY_LIBTORCH_CUDA ON)
  elseif(TORCH_TIDY_CUDA STREQUAL "ON")
    message(FATAL_ERROR "TORCH_TIDY_CUDA=ON, but LibTorch's c10_cuda or CUDA's headers are missing")
  endif()
endif()
if(TORCH_TIDY_LIBTORCH_CUDA AND NOT TARGET torch)
  target_include_directories(torch_tidy::libtorch INTERFACE "${TORCH_TIDY_CUDA_INCLUDE}")
  target_link_libraries(torch_tidy::libtorch INTERFACE
    "${TORCH_TIDY_LIBTORCH_c10_cuda}" "${TORCH_TIDY_CUDART}")
  # The CUDA operators load only where all of CUDA's libraries are; a machine without a GPU may lack
  # some of them and still use the rest.
  find_library(TORCH_TIDY_LIBTORCH_torch_cuda torch_cuda
    PATHS "${TORCH_TIDY_LIBTORCH_PREFIX}/lib" NO_DEFAULT_PATH)
  if(TORCH_TIDY_LIBTORCH_torch_cuda AND NOT DEFINED TORCH_TIDY_LIBTORCH_CUDA_LINKS)
    file(WRITE "${CMAKE_BINARY_DIR}/CMakeFiles/torch_tidy_cuda.cpp" "int main() { return 0; }\n")
    try_compile(TORCH_TIDY_LIBTORCH_CUDA_LINKS
      "${CMAKE_BINARY_DIR}" "${CMAKE_BINARY_DIR}/CMakeFiles/torch_tidy_cuda.cpp"
      LINK_OPTIONS -Wl,--no-as-needed
      LINK_LIBRARIES "${TORCH_TIDY_LIBTORCH_torch_cuda}" "${TORCH_TIDY_LIBTORCH_torch_cpu}"
                     "${TORCH_TIDY_LIBTORCH_c10}")
  endif()
  if(TORCH_TIDY_LIBTORCH_CUDA_LINKS)
    # Nothing refers to it by name: its operators register themselves.
    target_link_libraries(torch_tidy::libtorch INTERFACE
      -Wl,--push-state,--no-as-needed "${TORCH_TIDY_LIBTORCH_torch_cuda}" -Wl,--pop-state)
  else()
    message(STATUS "torch_host: LibTorch's CUDA operators do not link here; CPU only")
  endif()
endif()
message(STATUS "torch_host: LibTorch in ${TORCH_TIDY_LIBTORCH_PREFIX}, CUDA: ${TORCH_TIDY_LIBTORCH_CUDA}")
