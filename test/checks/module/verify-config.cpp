// UNSUPPORTED: llvm-14
// A configuration with the options of the checks is valid; a misspelt one is not.
// RUN: %clang_tidy --config="{Checks: '-*,torch-*', CheckOptions: [{key: torch-host-access.MinEvidence, value: likely}, {key: torch-grad-access.CpuGuards, value: f}, {key: torch-dangling-data.TrustCpuNames, value: 'false'}]}" --verify-config 2>&1 | %FileCheck %s --check-prefix=RIGHT
// RUN: not %clang_tidy --config="{Checks: '-*,torch-*', CheckOptions: [{key: torch-host-access.MinEvidense, value: likely}]}" --verify-config 2>&1 | %FileCheck %s --check-prefix=WRONG

// RIGHT: No config errors detected.
// WRONG: warning: unknown check option 'torch-host-access.MinEvidense'
