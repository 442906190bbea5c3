#!/usr/bin/env python3
"""Measures torch-tidy and run-clang-tidy on a generated project; run.sh says how. Elapsed time of one run each."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

UNIT = """#include "common.h"
#include <torch/torch.h>
#include <vector>

namespace part{number} {{
struct Net : torch::nn::Module {{
  Net() : layer(register_module("layer", torch::nn::Linear(8, 4))) {{}}
  torch::Tensor forward(const torch::Tensor &x) {{ return torch::relu(layer(x)); }}
  torch::nn::Linear layer;
}};
std::vector<float> to_vector(const torch::Tensor &values) {{
  return std::vector<float>(values.data_ptr<float>(), values.data_ptr<float>() + values.numel());
}}
float evaluate(Net &net, torch::Device device) {{
  torch::Tensor batch = torch::rand({{16, 8}}).to(device);
  torch::Tensor out = net.forward(batch);
  float sum = 0;
  for (int64_t i = 0; i < out.size(0); ++i)
    sum += scaled(out[i][0].item<float>());
  const float *first = out.contiguous().data_ptr<float>();
  return sum + first[0] + {number};
}}
}} // namespace part{number}
"""
COMMON = "#pragma once\ninline float scaled(float x) { return 2 * x; }\n"


def main():
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("torch-tidy", "run-clang-tidy", "clang-tidy", "plugin"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--files", type=int, required=True)
    parser.add_argument("--jobs", required=True)
    args = parser.parse_args(sys.argv[1:split])
    flags = sys.argv[split + 1:]

    with tempfile.TemporaryDirectory() as root:
        root = os.path.realpath(root)
        commands = []
        for number in range(args.files):
            path = os.path.join(root, f"part{number}.cpp")
            with open(path, "w") as file:
                file.write(UNIT.format(number=number))
            commands.append({"directory": root, "file": path, "arguments": ["c++", *flags, "-c", path]})
        with open(os.path.join(root, "common.h"), "w") as file:
            file.write(COMMON)
        with open(os.path.join(root, "plain.cpp"), "w") as file:
            file.write("#include <map>\n#include <string>\nint size(const std::map<std::string, int> &m) { return int(m.size()); }\n")
        with open(os.path.join(root, "compile_commands.json"), "w") as file:
            json.dump(commands, file)

        def seconds(command, expected):
            start = time.monotonic()
            process = subprocess.run(command, cwd=root, capture_output=True, text=True)
            if process.returncode not in expected:
                sys.exit(f"{command}\nended with status {process.returncode}:\n{process.stdout[-2000:]}{process.stderr[-2000:]}")
            return time.monotonic() - start

        theirs = [args.run_clang_tidy, "-clang-tidy-binary", args.clang_tidy, "-load", args.plugin, "-checks=-*,torch-*",
                  "-p", root, "-j", args.jobs, "-quiet"]
        ours = [args.torch_tidy, "check", "--quiet", "-j", args.jobs]
        cold = seconds(ours, [1])
        warm = seconds(ours, [1])
        with open(os.path.join(root, "part0.cpp"), "a") as file:
            file.write("// edited\n")
        edited = seconds(ours, [1])
        with open(os.path.join(root, "common.h"), "a") as file:
            file.write("// edited\n")
        header = seconds(ours, [1])
        without = seconds([*ours, "--no-pch", "--state=" + os.path.join(root, "other")], [1])
        base = seconds(theirs, [0, 1])
        # A file without LibTorch: not slower than clang-tidy itself.
        with open(os.path.join(root, "compile_commands.json"), "w") as file:
            json.dump([{"directory": root, "file": "plain.cpp", "arguments": ["c++", "-std=c++17", "-c", "plain.cpp"]}], file)
        plain = seconds([*ours, "--state=" + os.path.join(root, "plain")], [0])
        plain_base = seconds([args.clang_tidy, "--load=" + args.plugin, "--checks=-*,torch-*", "--quiet", "-p", root, "plain.cpp"], [0])
        shutil.rmtree(os.path.join(root, "other"))

    print(f"{'run-clang-tidy':38}{base:9.2f} s")
    for name, value in (("torch-tidy, cold", cold), ("torch-tidy, cold, nothing precompiled", without), ("torch-tidy, one file changed", edited),
                        ("torch-tidy, a header of all changed", header), ("torch-tidy, nothing changed", warm)):
        print(f"{name:38}{value:9.2f} s   run-clang-tidy takes {base / value:8.2f} times as long; {100 * value / cold:6.1f} % of cold")
    print(f"a file without LibTorch: torch-tidy {plain:.2f} s, clang-tidy {plain_base:.2f} s, ratio {plain / plain_base:.2f}")


if __name__ == "__main__":
    main()
