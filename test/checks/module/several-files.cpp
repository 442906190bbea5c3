// Several files in one run give the reports that each gives alone; nothing of one file reaches the next.
// RUN: %clang_tidy --checks='-*,torch-*' %S/Inputs/dangles.cpp -- %torch_flags > %t.alone 2> /dev/null
// RUN: %clang_tidy --checks='-*,torch-*' %S/Inputs/reads.cpp -- %torch_flags >> %t.alone 2> /dev/null
// RUN: %clang_tidy --checks='-*,torch-*' %S/Inputs/reads.cpp %S/Inputs/dangles.cpp -- %torch_flags > %t.together 2> /dev/null
// RUN: diff %t.alone %t.together
// RUN: %FileCheck %s < %t.together

// CHECK: dangles.cpp:5:37: warning: {{.*}} [torch-dangling-data]
// CHECK: dangles.cpp:6:19: warning: {{.*}} [torch-grad-access]
// CHECK: reads.cpp:5:12: warning: {{.*}} [torch-host-access]
// CHECK-NOT: warning:
