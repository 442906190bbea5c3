"""Makes a program of the C++ examples of documentation pages.

make_snippets.py --output FILE PAGE[#HEADING]...: each ```cpp block becomes a function that main() calls for
the CPU and for the guarded device; blocks of #include lines go to the top. With a heading only that
section of the page counts. Fails where a page does not show each use of the library.
"""
import argparse
import re

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


# What every page must show.
USES = ["to_host(", "transfer_to_host(", "to_host_async(", "host_view<const ", "host_view_mut<", "item<", "from_host(",
        "from_device(", "save_npy(", "load_npy(", "to_eigen<", "to_mat(", "stats()", "NoTransferScope ", "Validation::",
        "Error &"]
# What needs a library that need not be there.
NEEDS = {"TEST_EIGEN": ("torch_host/eigen.h", "to_eigen<"), "TEST_OPENCV": ("torch_host/opencv.h", "to_mat(")}


def guarded(text, code):
    """The code, left out where a library that it needs is not there."""
    needs = [f"defined({macro})" for macro, uses in NEEDS.items() if any(use in text for use in uses)]
    return f"#if {' && '.join(needs)}\n{code}#endif\n" if needs else code


def examples(page):
    """The page's include lines, and its other blocks with their line numbers."""
    path, _, heading = page.partition("#")
    text = open(path, encoding="utf-8").read()
    start, end = 0, len(text)
    if heading:
        start = text.index(f"\n## {heading}\n")
        end = text.index("\n## ", start + 1)
    includes, blocks = [], []
    for match in re.finditer(r"^```cpp\n(.*?)^```$", text[start:end], re.MULTILINE | re.DOTALL):
        body, line = match.group(1), text.count("\n", 0, start + match.start(1)) + 1
        if all(l.startswith("#include") for l in body.split("\n") if l.strip()):
            includes += body.splitlines(keepends=True)
        else:
            blocks.append((line, body))
    shown = "".join(body for _, body in blocks)
    missing = [use for use in USES if use not in shown]
    assert not missing, f"{page} has no example of {', '.join(missing)}"
    return path, includes, blocks


def main(output, pages):
    found = [examples(page) for page in pages]
    with open(output, "w", encoding="utf-8") as out:
        out.write(PREAMBLE)
        for line in dict.fromkeys(line for _, includes, _ in found for line in includes):
            out.write(guarded(line, line))
        out.write(HELPERS)
        calls = []
        for number, (path, _, blocks) in enumerate(found):
            for line, body in blocks:
                name = f"page_{number}_line_{line}"
                function = (f'\nstatic void {name}([[maybe_unused]] at::Device device) {{\n'
                            f'#line {line} "{path}"\n{body}}}\n')
                out.write(guarded(body, function))
                calls.append(guarded(body, f"    {name}(device);\n"))
        out.write("\nint main() {\n"
                  "  for (at::Device device : {at::Device(at::kCPU), guarded::device(1)}) {\n"
                  + "".join(calls) +
                  '  }\n  std::printf("all examples ran on two devices\\n");\n'
                  "  std::filesystem::remove_all(std::filesystem::temp_directory_path() / "
                  '"torch_host_snippets");\n}\n')


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--output", required=True)
    parser.add_argument("pages", nargs="+")
    arguments = parser.parse_args()
    main(arguments.output, arguments.pages)
