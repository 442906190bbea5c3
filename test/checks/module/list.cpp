// The checks are listed, and --dump-config knows their options.
// RUN: %clang_tidy --checks='-*,torch-*' --list-checks | %FileCheck %s
// RUN: %clang_tidy --checks='-*,torch-host-access' --dump-config %s -- | %FileCheck %s --check-prefix=CONFIG

// CHECK: Enabled checks:
// CHECK-NEXT: torch-async-copy
// CHECK-NEXT: torch-copy-write
// CHECK-NEXT: torch-dangling-data
// CHECK-NEXT: torch-deprecated-access
// CHECK-NEXT: torch-discarded-result
// CHECK-NEXT: torch-element-type
// CHECK-NEXT: torch-from-blob-lifetime
// CHECK-NEXT: torch-from-blob-options
// CHECK-NEXT: torch-grad-access
// CHECK-NEXT: torch-graph-retention
// CHECK-NEXT: torch-host-access
// CHECK-NEXT: torch-scalar-read
// CHECK-NEXT: torch-strided-access
// CHECK-NEXT: torch-transfer-in-loop

// CONFIG-DAG: torch-host-access.CpuGuards
// CONFIG-DAG: torch-host-access.CudaGuards
// CONFIG-DAG: torch-host-access.DeviceFunctions
// CONFIG-DAG: torch-host-access.FixStyle
// CONFIG-DAG: torch-host-access.HostFunctions
// CONFIG-DAG: torch-host-access.MinEvidence
// CONFIG-DAG: torch-host-access.ReportEscapes
// CONFIG-DAG: torch-host-access.TrustCpuNames
