# Flags that every target of the project shares: warnings and sanitizers.
add_library(torch_tidy_options INTERFACE)
target_compile_options(torch_tidy_options INTERFACE -Wall -Wextra)

if(TORCH_TIDY_SANITIZE)
  target_compile_options(torch_tidy_options INTERFACE
    -fsanitize=${TORCH_TIDY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(torch_tidy_options INTERFACE -fsanitize=${TORCH_TIDY_SANITIZE})
endif()
