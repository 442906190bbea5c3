"""Programs of a given size, each stressing one thing: for the test of the bounds and for bench/scaling.

Every generator takes a size and returns the text of a program and the lines that have to be reported (torch-host-access). The text
is for LibTorch 1.13 and later.
"""

HEAD = "#include <torch/torch.h>\nusing torch::Tensor;\n"
GPU = "torch::device(torch::kCUDA)"


class Program:
    """Text line by line; read() marks a line that has to be reported."""

    def __init__(self):
        self.lines = HEAD.splitlines()
        self.expected = []

    def add(self, *lines):
        self.lines += lines

    def read(self, line):
        self.lines.append(line)
        self.expected.append(len(self.lines))

    def done(self):
        return "\n".join(self.lines) + "\n", self.expected


def statements(n):
    """One function of n statements."""
    p = Program()
    p.add("float f() {", f"  Tensor t = torch::zeros({{4}}, {GPU});", "  int64_t k = 0;")
    for i in range(n - 2):
        p.add(f"  t = t + {i};" if i % 3 == 0 else f"  k += {i};" if i % 3 == 1 else f"  if (k > {i}) ++k;")
    p.read("  return *t.data_ptr<float>();")
    p.add("}")
    return p.done()


def branches(n):
    """n nested branches, in each of which the tensor moves."""
    p = Program()
    p.add("float f(const bool *c) {", "  Tensor t = torch::zeros({4});")
    for i in range(n):
        p.add(f"  if (c[{i}]) {{", f"  t = t + {i};" if i % 2 else "  t = t.cuda();")
    p.read("  return *t.data_ptr<float>();")
    p.add("  }" * n, "  return 0;", "}")
    return p.done()


def diamonds(n):
    """n branches one after the other, each of which moves the tensor or not: 2^n paths."""
    p = Program()
    p.add("float f(const bool *c) {", "  Tensor t = torch::zeros({4});")
    for i in range(n):
        p.add(f"  if (c[{i}]) t = t.cuda(); else t = t.cpu();")
    p.read("  return *t.data_ptr<float>();")
    p.add("}")
    return p.done()


def tensors(n):
    """n tensors that live at once, each with a pointer into it."""
    p = Program()
    p.add("float f() {")
    for i in range(n):
        p.add(f"  Tensor t{i} = torch::zeros({{4}}, {GPU});", f"  float *p{i} = t{i}.data_ptr<float>();")
        p.expected.append(len(p.lines))
    p.add("  float s = 0;")
    for i in range(n):
        p.add(f"  s += p{i}[0];")
    p.add("  return s;", "}")
    return p.done()


def parameters(n):
    """Choices at run time: n tensors, a loop over them that exchanges two of them."""
    p = Program()
    p.add("float f(const bool *c) {")
    for i in range(n):
        p.add(f"  Tensor t{i} = torch::zeros({{4}}, c[{i}] ? torch::kCUDA : torch::kCPU);")
    p.add("  for (int i = 0; i < 9; ++i) {")
    for i in range(n - 1):
        p.add(f"    if (c[i + {i}]) std::swap(t{i}, t{i + 1});")
    p.add("  }", "  float s = 0;")
    for i in range(n):
        p.read(f"  s += t{i}.data_ptr<float>()[0];")
    p.add("  return s;", "}")
    return p.done()


def calls(n):
    """Helpers that call each other, n deep."""
    p = Program()
    p.add("static float g0(Tensor t) {")
    p.read("  return *t.data_ptr<float>();")
    p.add("}")
    for i in range(1, n):
        p.add(f"static float g{i}(Tensor t) {{ return g{i - 1}(t) + 1; }}")
    p.add(f"float f() {{ return g{n - 1}(torch::zeros({{4}}, {GPU})); }}")
    return p.done()


def fan(n):
    """Helpers that each call the one below n times: n^5 ways down."""
    p = Program()
    p.add("static float g0(Tensor t) {")
    p.read("  return *t.data_ptr<float>();")
    p.add("}")
    for i in range(1, 6):
        p.add(f"static float g{i}(Tensor t) {{", "  float s = 0;")
        p.add(*[f"  s += g{i - 1}(t + {j});" for j in range(n)])
        p.add("  return s;", "}")
    p.add("float f() {", f"  Tensor t = torch::zeros({{4}}, {GPU});")
    p.read("  return g5(t) + *t.data_ptr<float>();")
    p.add("}")
    return p.done()


def recursion(n):
    """n functions that all call each other."""
    p = Program()
    for i in range(n):
        p.add(f"float g{i}(Tensor t, int k);")
    for i in range(n):
        p.add(f"float g{i}(Tensor t, int k) {{", "  float s = 0;", "  if (k < 0)")
        p.read("    return *t.cuda().data_ptr<float>();")
        p.add(*[f"  s += g{j}(t, k - 1);" for j in range(n)], "  return s;", "}")
    return p.done()


def expression(n):
    """An expression of n operators, nested to the left."""
    p = Program()
    p.add("float f(Tensor a) {", f"  Tensor t = torch::zeros({{4}}, {GPU});")
    p.add("  t = t" + "".join("\n    + a" for _ in range(n)) + ";")
    p.lines = "\n".join(p.lines).splitlines()
    p.read("  return *t.data_ptr<float>();")
    p.add("}")
    return p.done()


def conditions(n):
    """A condition of n operands."""
    p = Program()
    p.add("float f(Tensor a, const bool *c) {", f"  Tensor t = torch::zeros({{4}}, {GPU});")
    p.add("  if (c[0]" + "".join(f"\n    {'&&' if i % 2 else '||'} c[{i}]" for i in range(n)) + ")")
    p.lines = "\n".join(p.lines).splitlines()
    p.read("    return *t.data_ptr<float>();")
    p.add("  return 0;", "}")
    return p.done()


def methods(n):
    """A chain of n method calls."""
    p = Program()
    p.add("float f() {", f"  Tensor t = torch::zeros({{4}}, {GPU})")
    p.add(*["    .add(1)"] * n, "    ;")
    p.read("  return *t.data_ptr<float>();")
    p.add("}")
    return p.done()


def loops(n):
    """n nested loops."""
    p = Program()
    p.add("float f(Tensor t) {", f"  Tensor a = torch::zeros({{4}}, {GPU});", "  float s = 0;")
    for i in range(n):
        p.add(f"  for (int i{i} = 0; i{i} < 4; ++i{i}) {{", "  a = a + t;")
    p.read("  s += *a.data_ptr<float>();")
    p.add("  }" * n, "  return s;", "}")
    return p.done()


def cases(n):
    """A switch of n cases in a loop."""
    p = Program()
    p.add("float f(const int *c) {", "  Tensor t = torch::zeros({4});", "  for (int i = 0; i < 100; ++i)", "    switch (c[i]) {")
    for i in range(n):
        p.add(f"    case {i}: t = t{'.cuda()' if i == n - 1 else f' + {i}'}; break;")
    p.add("    }")
    p.read("  return *t.data_ptr<float>();")
    p.add("}")
    return p.done()


def lambdas(n):
    """n closures in each other."""
    p = Program()
    p.add("float f() {", f"  Tensor t = torch::zeros({{4}}, {GPU});", "  float s = 0;")
    for i in range(n):
        p.add(f"  auto g{i} = [&] {{")
    p.read("  s += *t.data_ptr<float>();")
    for i in reversed(range(n)):
        p.add("  };", f"  g{i}();")
    p.add("  return s;", "}")
    return p.done()


def members(n):
    """A class of n members, each stored by one method and read by another."""
    p = Program()
    p.add("class C {", "public:")
    for i in range(n):
        p.add(f"  void set{i}() {{ t{i} = torch::zeros({{4}}, {GPU}); }}", f"  float get{i}() {{")
        p.read(f"    return *t{i}.data_ptr<float>();")
        p.add("  }")
    p.add("private:", *[f"  Tensor t{i};" for i in range(n)], "};")
    return p.done()


def functions(n):
    """n functions that share one helper."""
    p = Program()
    p.add("static float total(Tensor t) {", "  float s = 0;", "  for (int i = 0; i < 4; ++i)")
    p.read("    s += t.data_ptr<float>()[i];")
    p.add("  return s;", "}")
    for i in range(n):
        p.add(f"float f{i}() {{ return total(torch::zeros({{{i + 1}}}, {GPU})); }}")
    return p.done()


# Name, sizes for bench/scaling (each twice the last), the size of the test.
KINDS = {
    "statements": (statements, (2500, 5000, 10000, 20000), 20000),
    "branches": (branches, (62, 125, 250, 500), 500),
    "diamonds": (diamonds, (62, 125, 250, 500), 500),
    "tensors": (tensors, (125, 250, 500, 1000), 1000),
    "parameters": (parameters, (25, 50, 100, 200), 100),
    "calls": (calls, (12, 25, 50, 100), 100),
    "fan": (fan, (2, 4, 8, 16), 8),
    "recursion": (recursion, (4, 8, 16, 32), 12),
    "expression": (expression, (250, 500, 1000, 2000), 2000),
    "conditions": (conditions, (125, 250, 500, 1000), 1000),
    "methods": (methods, (62, 125, 250, 500), 250),
    "loops": (loops, (4, 8, 16, 32), 16),
    "cases": (cases, (62, 125, 250, 500), 500),
    "lambdas": (lambdas, (2, 4, 8), 8),
    "members": (members, (62, 125, 250, 500), 200),
    "functions": (functions, (125, 250, 500, 1000), 500),
}
