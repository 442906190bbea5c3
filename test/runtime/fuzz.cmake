# load_npy under libFuzzer and ASan for a bounded number of inputs. libFuzzer comes with clang, so the
# instrumented files are compiled by it, whatever compiles the rest.
set(TORCH_TIDY_FUZZ_RUNS 30000 CACHE STRING "Inputs that the fuzzer tries in the test")
find_program(TORCH_TIDY_FUZZ_CLANG NAMES clang++-22 clang++-21 clang++-20 clang++-19 clang++)
if(NOT TORCH_TIDY_FUZZ_CLANG)
  message(STATUS "torch_host: no clang, so no fuzz test")
  return()
endif()

set(_fuzzer "${CMAKE_CURRENT_BINARY_DIR}/fuzz_load_npy")
set(_runtime "${PROJECT_SOURCE_DIR}/runtime")
set(_sources "${CMAKE_CURRENT_SOURCE_DIR}/fuzz_load_npy.cpp" "${_runtime}/src/file.cpp"
  "${_runtime}/src/npy.cpp" "${_runtime}/src/npy_header.cpp")
set(_includes "-I${_runtime}/include")
if(NOT TORCH_TIDY_LIBTORCH_PREFIX STREQUAL "/usr")
  list(APPEND _includes -isystem "${TORCH_TIDY_LIBTORCH_INCLUDE}")
endif()
get_filename_component(_libdir "${TORCH_TIDY_LIBTORCH_torch_cpu}" DIRECTORY)
set(_libraries $<TARGET_FILE:torch_host> "${TORCH_TIDY_LIBTORCH_torch_cpu}" "${TORCH_TIDY_LIBTORCH_c10}")
if(TORCH_TIDY_LIBTORCH_CUDA)
  list(APPEND _libraries "${TORCH_TIDY_LIBTORCH_c10_cuda}" "${TORCH_TIDY_CUDART}")
endif()
# The library is linked for what the instrumented files call; their own symbols come first.
add_custom_command(OUTPUT "${_fuzzer}"
  COMMAND "${TORCH_TIDY_FUZZ_CLANG}" -std=c++${TORCH_HOST_CXX_STANDARD} -O1 -g1
          -fsanitize=fuzzer,address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all
          ${_includes} ${_sources} -o "${_fuzzer}" ${_libraries} "-Wl,-rpath,${_libdir}" -lpthread
  DEPENDS ${_sources} torch_host COMMAND_EXPAND_LISTS)
add_custom_target(torch_host_fuzzer ALL DEPENDS "${_fuzzer}")
set(_corpus "${CMAKE_CURRENT_BINARY_DIR}/fuzz_corpus")
add_test(NAME runtime.fuzz_corpus
  COMMAND "${TORCH_TIDY_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/make_fuzz_corpus.py" "${_corpus}")
set_tests_properties(runtime.fuzz_corpus PROPERTIES FIXTURES_SETUP runtime_fuzz_corpus)
# No input is longer than 4096 bytes, so no allocation for one may exceed a megabyte.
add_test(NAME runtime.fuzz_load_npy
  COMMAND "${_fuzzer}" -runs=${TORCH_TIDY_FUZZ_RUNS} -seed=1 -max_len=4096 -malloc_limit_mb=1
          -timeout=10 "${_corpus}")
set_tests_properties(runtime.fuzz_load_npy PROPERTIES FIXTURES_REQUIRED runtime_fuzz_corpus)
