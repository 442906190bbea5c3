// The checks are listed, and --dump-config knows their options.
// RUN: %clang_tidy --checks='-*,torch-*' --list-checks | %FileCheck %s
// RUN: %clang_tidy --checks='-*,torch-host-access' --dump-config %s -- | %FileCheck %s --check-prefix=CONFIG

// CHECK: Enabled checks:
// CHECK: torch-dangling-data
// CHECK: torch-grad-access
// CHECK: torch-host-access

// CONFIG: torch-host-access.CpuGuards
// CONFIG: torch-host-access.CudaGuards
// CONFIG: torch-host-access.DeviceFunctions
// CONFIG: torch-host-access.FixStyle
// CONFIG: torch-host-access.HostFunctions
// CONFIG: torch-host-access.MinEvidence
// CONFIG: torch-host-access.ReportEscapes
// CONFIG: torch-host-access.TrustCpuNames
