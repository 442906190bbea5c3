"""Makes a program of the C++ examples of a documentation page.

make_snippets.py PAGE OUTPUT: each ```cpp block becomes a function that main() calls for the CPU and
for the guarded device; blocks of #include lines go to the top.
"""
import re
import sys

PREAMBLE = """\
#include "guarded_device.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>
"""

HELPERS = """
#define check(condition) \\
  do { \\
    if (!(condition)) { \\
      std::fprintf(stderr, "%s:%d: failed: %s\\n", __FILE__, __LINE__, #condition); \\
      std::exit(1); \\
    } \\
  } while (false)

template <class Exception, class Call> void check_throws(Call call) {
  bool thrown = false;
  try {
    call();
  } catch (const Exception &) {
    thrown = true;
  }
  check(thrown);
}

static std::string temporary_file(const std::string &name) {
  const auto directory = std::filesystem::temp_directory_path() / "torch_host_snippets";
  std::filesystem::create_directories(directory);
  return (directory / name).string();
}
"""


def main(page, output):
    text = open(page, encoding="utf-8").read()
    includes, functions = [], []
    for match in re.finditer(r"^```cpp\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        body, line = match.group(1), text.count("\n", 0, match.start(1)) + 1
        if all(l.startswith("#include") for l in body.split("\n") if l.strip()):
            includes.append(body)
        else:
            functions.append((line, body))
    assert len(functions) >= 10, "the page has lost its examples"
    with open(output, "w", encoding="utf-8") as out:
        out.write(PREAMBLE + "\n".join(includes) + HELPERS)
        for line, body in functions:
            out.write(f'\nstatic void line_{line}([[maybe_unused]] at::Device device) {{\n'
                      f'#line {line} "{page}"\n{body}}}\n')
        out.write("\nint main() {\n"
                  "  for (at::Device device : {at::Device(at::kCPU), guarded::device(1)}) {\n")
        out.writelines(f"    line_{line}(device);\n" for line, _ in functions)
        out.write(f'  }}\n  std::printf("%d examples ran on two devices\\n", {len(functions)});\n'
                  "  std::filesystem::remove_all(std::filesystem::temp_directory_path() / "
                  '"torch_host_snippets");\n}\n')


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
