// Reports in the user's headers follow the header filter; LibTorch's headers are silent under any filter.
// RUN: %clang_tidy --checks='-*,torch-*' --header-filter='^$' %s -- %torch_flags 2> /dev/null | %FileCheck %s --check-prefix=MAIN --implicit-check-not=warning:
// RUN: %clang_tidy --checks='-*,torch-*' --header-filter=.* --system-headers %s -- %torch_flags 2> /dev/null | %FileCheck %s --check-prefixes=HEADER,MAIN --implicit-check-not=warning:
#include "Inputs/helper.h"

float in_main_file(const torch::Tensor &t) {
  return in_header(t) + t.data_ptr<float>()[0];
}

// HEADER: helper.h:4:59: warning: {{.*}} [torch-host-access]
// MAIN: headers.cpp:[[@LINE-4]]:27: warning: {{.*}} [torch-host-access]
