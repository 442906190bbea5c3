# Configuration of the check tests. It is loaded by the lit.site.cfg.py of a suite (one LLVM, one LibTorch).
import os
import shlex

import lit.formats

config.name = f"torch-tidy checks, LLVM {config.llvm_major}, {config.torch_name}"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cpp", ".cu"]
config.excludes = ["Inputs"]
config.test_source_root = config.checks_source_root
config.test_exec_root = config.suite_binary_root

# For REQUIRES and UNSUPPORTED: llvm-22, torch1 or torch2, c++17 or c++20, and asan.
config.available_features.update([
    f"llvm-{config.llvm_major}",
    config.torch_name.split(".")[0],
    config.torch_std,
])
if config.sanitize:
    config.available_features.add("asan")

# A CUDA toolkit whose headers clang can read: CUDA sources are analysed as host code.
cuda = next((root for root in (os.environ.get("CUDA_HOME"), "/usr/local/cuda", "/usr/lib/cuda")
             if root and os.path.exists(os.path.join(root, "include", "cuda_runtime.h"))), None)
if cuda and config.llvm_major >= 22:
    config.available_features.add("cuda")
    config.substitutions.append(("%cuda_flags", shlex.join([
        "-x", "cuda", "--cuda-path=" + cuda, "--cuda-host-only", "-nocudalib", "-Wno-unknown-cuda-version",
        "-isystem", os.path.join(cuda, "include", "cccl")])))

tidy = [
    config.python,
    os.path.join(config.lit_source_root, "check_torch_tidy.py"),
    "--clang-tidy=" + config.clang_tidy,
    "--plugin=" + config.plugin,
    "--filecheck=" + config.filecheck,
    "--flags=" + config.torch_flags,
    "--pch=" + config.torch_pch,
    *("--env=" + pair for pair in config.tidy_env),
    # Older ones would load every declaration of the precompiled header: twice the time. The newest runs without.
    *(["--only-torch"] if config.llvm_major < 20 else []),
]
# %check_torch_tidy runs a whole test; the others are for tests of clang-tidy's own command line.
config.substitutions.append(("%check_torch_tidy", shlex.join(tidy)))
environment = ["env", *config.tidy_env] if config.tidy_env else []
config.substitutions.append(("%clang_tidy", shlex.join([*environment, config.clang_tidy, "--load=" + config.plugin])))
config.substitutions.append(("%torch_flags", config.torch_flags + " -include-pch " + shlex.quote(config.torch_pch)))
# Headers of the runtime library, for the edits that use it.
config.substitutions.append(
    ("%runtime_include", shlex.quote(os.path.join(os.path.dirname(config.lit_source_root), "..", "runtime", "include"))))
config.substitutions.append(("%FileCheck", shlex.quote(config.filecheck)))
