"""Random LibTorch programs, one from each (seed, number).

A program is a list of statements. A statement knows which names it needs and declares, which pointers it makes from what,
and whether it touches memory: enough to drop statements from a program and know that the rest still compiles, and to say
which lines a pointer that is used in one line may come from.

Not generated, since the specification leaves it out: pointers that are stored in an object that outlives the function or
handed to a function of another file (escapes, reported on request only). Nor what a run would leave behind for the next:
static and global tensors. Nor gradients, layouts and element types: their checks speak about values, not about memory.
"""
import copy
import random
import re

NAME = re.compile(r"\b(?:[a-z]+_)?[a-z]+\d+\b")
GIVEN = {"f0", "f1", "f2", "in0"}
CTYPE = {"f": "float", "d": "double", "l": "int64_t", "b": "bool"}
TORCH = {"f": "torch::kFloat", "d": "torch::kDouble", "l": "torch::kLong"}


class Statement:
    """One line, or a block with its lines."""

    def __init__(self, text, body=None, other=None, decl=(), inner=(), flows=(), acc=False, use=(), guard=None,
                 keep=False, write=None, close=""):
        self.text = text
        self.close = close  # what stands behind the block's brace
        self.body = body
        self.other = other  # the else branch
        self.decl = list(decl)
        self.inner = list(inner)  # what the body may name
        self.flows = list(flows)  # (pointer, what it comes from), "ACC" for an accessor call of this line
        self.acc = acc  # this line calls an accessor and uses what it gives
        self.use = list(use)  # the pointers that this line uses
        self.guard = guard  # the text with the guard negated
        self.identity = None  # the same in copies of the program
        self.keep = keep  # a return of a function that has a result
        self.write = write  # "plain", or "copy" for a write into what may be a copy

    def records(self):
        return bool(self.acc or self.use or any(source == "ACC" for _, source in self.flows))


class Var:
    def __init__(self, name, kind, shape=(), dtype="f", plain=True, count=0, fixed=False, mutable=False):
        self.name, self.kind, self.shape, self.dtype = name, kind, shape, dtype
        self.plain = plain  # contiguous
        self.count = count  # the elements a pointer may read
        self.fixed = fixed  # never assigned
        self.mutable = mutable


def numel(shape):
    product = 1
    for n in shape:
        product *= n
    return product


def walk(statements):
    for s in statements:
        yield s
        yield from walk(s.body or [])
        yield from walk(s.other or [])


def well_formed(statements, known=GIVEN):
    """Whether every name is declared before it is used."""
    known = set(known)
    for s in statements:
        own = set(s.decl)
        named = set(NAME.findall(s.text))
        if not named - own <= known | set(s.inner):
            return False
        known |= own
        for part in (s.body, s.other):
            if part is not None and not well_formed(part, known | set(s.inner)):
                return False
    return True


class Generator:
    def __init__(self, seed, number):
        self.rng = random.Random(seed * 1000003 + number)
        self.counter = 0
        self.frames = [[]]
        self.helpers = []
        self.depth = 0
        self.loops = 0

    # --- names and choices

    def name(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def declare(self, var):
        self.frames[-1].append(var)
        return var

    def visible(self, *kinds, test=lambda v: True):
        return [v for frame in self.frames for v in frame if v.kind in kinds and test(v)]

    def pick(self, *kinds, test=lambda v: True):
        found = self.visible(*kinds, test=test)
        # What is new is more interesting.
        return self.rng.choice(found[-4:] if self.rng.random() < 0.6 else found) if found else None

    def chance(self, p):
        return self.rng.random() < p

    def flag(self):
        return self.rng.choice(["f0", "f1", "f2"])

    # --- expressions

    def device(self):
        r = self.rng.random()
        held = self.pick("device")
        other = self.pick("tensor")
        if held and r < 0.45:
            return held.name
        if r < 0.6:
            return f"({self.flag()} ? torch::kCUDA : torch::kCPU)"
        if r < 0.7 and other:
            return f"{other.name}.device()"
        return "torch::kCUDA" if r < 0.85 else "torch::kCPU"

    def factory(self):
        """(text, shape, dtype)"""
        shape = self.rng.choice([(6,), (4,), (2, 3), (3, 2), (2, 2)])
        sizes = "{" + ", ".join(map(str, shape)) + "}"
        dtype = self.rng.choice("ffffdl")
        options = f"torch::TensorOptions().dtype({TORCH[dtype]})"
        if self.chance(0.55):
            options += f".device({self.device()})"
        elif dtype == "f" and self.chance(0.5):
            options = None
        held = self.pick("options")
        if held and self.chance(0.4):
            options, dtype = held.name, held.dtype
        kind = self.rng.randrange(5)
        if kind == 0 and options:
            n = self.rng.choice([4, 6])
            return f"torch::arange({n}, {options})", (n,), dtype
        if kind == 1:
            like = self.pick("tensor", test=lambda v: v.dtype in "fdl")
            if like:
                return f"torch::{self.rng.choice(['ones', 'zeros'])}_like({like.name})", like.shape, like.dtype
        if kind == 2:
            like = self.pick("tensor", test=lambda v: v.dtype in "fdl")
            if like:
                return f"torch::full({sizes}, 3, {like.name}.options())", shape, like.dtype
        name = self.rng.choice(["torch::ones(%s", "torch::full(%s, 2.0"]) % sizes
        if options is None and name.startswith("torch::full"):
            options = "torch::kFloat"
        return f"{name}{', ' + options if options else ''})", shape, dtype if options else "f"

    def move(self, t, shape, dtype, plain):
        r = self.rng.randrange(12)
        if r < 3:
            return f"{t}.to({self.device()})", dtype
        if r < 5:
            return f"{t}.cpu()", dtype
        if r == 5:
            return f"{t}.to(torch::kCPU)", dtype
        if r == 6 and dtype != "b":
            to = self.rng.choice("fd")
            return f"{t}.to(torch::kCPU, {TORCH[to]})", to
        if r == 7:
            other = self.pick("tensor", test=lambda v: v.dtype == dtype)
            if other:
                return f"{t}.to({other.name}.options())", dtype
        if r == 8:
            return f"{t}.detach()", dtype
        if r == 9:
            return f"{t}.clone()", dtype
        if r == 10:
            return f"{t}.cuda()", dtype
        if self.chance(0.3):
            return f"{t}.to(torch::kCPU, /*non_blocking=*/false, /*copy=*/true)", dtype
        movers = [h for h in self.helpers if h[1] == "to"]
        if movers and self.chance(0.5):
            return f"{self.rng.choice(movers)[0]}({t}, {self.device()})", dtype
        return f"{t}.contiguous()", dtype

    def step(self, text, shape, dtype, plain):
        """One more call on a tensor expression."""
        r = self.rng.random()
        if r < 0.4:
            moved, to = self.move(text, shape, dtype, plain)
            return moved, shape, to, plain or moved.endswith(".contiguous()")
        if r < 0.65:
            choices = []
            if plain:
                choices += [(f"{text}.view({{-1}})", (numel(shape),), plain)]
            choices += [(f"{text}.reshape({{-1}})", (numel(shape),), True)]
            if shape:
                i = self.rng.randrange(shape[0])
                choices += [(f"{text}[{i}]", shape[1:], plain), (f"{text}.select(0, {i})", shape[1:], plain)]
                choices += [(f"{text}.slice(0, {i}, {shape[0]})", (shape[0] - i,) + shape[1:], plain)]
                choices += [(f"{text}.unsqueeze(0)", (1,) + shape, plain)]
                choices += [(f"{text}.narrow(0, {i}, 1)", (1,) + shape[1:], plain)]
                choices += [(f"{text}.unbind(0)[{i}]", shape[1:], plain), (f"{text}.chunk({shape[0]}, 0)[{i}]", (1,) + shape[1:], plain)]
                choices += [(f"{text}.index({{{i}}})", shape[1:], plain), (f"{text}.flatten()", (numel(shape),), True)]
            if len(shape) == 2:
                choices += [(f"{text}.t()", shape[::-1], plain and 1 in shape)]
                choices += [(f"{text}.select(1, 0)", shape[:1], False)]
            if len(shape) == 1:
                choices += [(f"{text}.expand({{2, {shape[0]}}})", (2,) + shape, False)]
            new, shape, plain = self.rng.choice(choices)
            return new, shape, dtype, plain
        choices = []
        if dtype in "fdl":
            choices += [(f"torch::stack({{{text}, {text}}})", (2,) + shape, dtype, True), (f"torch::where({text} > 1, {text}, {text})", shape, dtype, plain),
                        (f"torch::empty_like({text}).fill_(2)", shape, dtype, plain), (f"{text}.clamp(0, 5)", shape, dtype, plain),
                        (f"torch::zeros({{2}}, {text}.options().device(torch::kCPU))", (2,), dtype, True)]
            choices += [(f"({text} + 1)", shape, dtype, plain), (f"({text} * 2)", shape, dtype, plain),
                        (f"{text}.relu()", shape, dtype, plain), (f"torch::relu({text})", shape, dtype, plain),
                        (f"{text}.sum()", (), dtype, True), (f"({text} > 1)", shape, "b", plain),
                        (f"{text}.abs()", shape, dtype, plain)]
            if shape:
                choices += [(f"{text}.argmax(0)", shape[1:], "l", plain), (f"{text}.sum(0)", shape[1:], dtype, plain)]
            other = self.pick("tensor", test=lambda v: v.shape == shape and v.dtype == dtype)
            if other:
                choices += [(f"({text} + {other.name}.to({text}.device()))", shape, dtype, plain)] * 2
                choices += [(f"torch::cat({{{text}, {text}}})", (2 * shape[0],) + shape[1:], dtype, plain)] if shape else []
        if len(shape) == 2 and dtype in "fd":
            choices += [(f"{text}.matmul({text}.t())", (shape[0],) * 2, dtype, True)]
        if not choices:
            return f"{text}.to(torch::kFloat)", shape, "f", plain
        return self.rng.choice(choices)

    def expression(self, calls=None):
        """(text, shape, dtype, plain) of a tensor made from a variable."""
        base = self.pick("tensor")
        text, shape, dtype, plain = base.name, base.shape, base.dtype, base.plain
        for _ in range(self.rng.choice([1, 1, 1, 2, 2]) if calls is None else calls):
            # Twice the text doubles it with each further call.
            text, shape, dtype, plain = self.step(text, shape, dtype, plain) if len(text) < 90 else (text, shape, dtype, plain)
        if self.helpers and self.chance(0.2):
            helper = self.rng.choice(self.helpers)
            if helper[1] == "tensor":
                text = f"{helper[0]}({text}{', ' + self.flag() if helper[2] else ''})"
        return text, shape, dtype, plain

    def condition(self, of):
        """(text, negated) of a test that says that the tensor is on the host."""
        t = of.name
        texts = [(f"{t}.is_cpu()", f"!{t}.is_cpu()"), (f"!{t}.is_cuda()", f"{t}.is_cuda()"),
                 (f"{t}.device().is_cpu()", f"!{t}.device().is_cpu()"),
                 (f"{t}.device().type() == torch::kCPU", f"{t}.device().type() != torch::kCPU"),
                 (f"{t}.device() == torch::Device(torch::kCPU)", f"{t}.device() != torch::Device(torch::kCPU)"),
                 (f"{t}.options().device().is_cpu()", f"!{t}.options().device().is_cpu()")]
        for name, kind, _ in self.helpers:
            if kind == "predicate":
                texts += [(f"{name}({t})", f"!{name}({t})")]
        return self.rng.choice(texts)

    # --- helper functions

    def helper(self):
        x = self.name("x")
        kind = self.rng.choice(["host", "guarded", "wrong", "pass", "check", "predicate", "read", "pointer", "move", "readp",
                                "nested", "to", "local", "output", "value", "pair", "class", "template", "fallback"])
        if kind == "nested" and not any(entry[1] == "tensor" for entry in self.helpers):
            kind = "host"
        h = self.name("h")
        const = f"const torch::Tensor &{x}"
        block = lambda head, body, inner: Statement(head, body=body, decl=[h], inner=inner)
        ret = lambda text, **more: Statement(text, keep=True, **more)
        if kind == "host":
            text = self.rng.choice([f"{x}.cpu()", f"{x}.to(torch::kCPU)", f"{x}.detach().cpu().contiguous()", f"{x} + 1"])
            s, entry = block(f"static torch::Tensor {h}({const})", [ret(f"return {text};")], [x]), (h, "tensor", False)
        elif kind == "guarded":
            s = block(f"static torch::Tensor {h}({const})",
                      [Statement(f"if ({x}.is_cpu())", body=[ret(f"return {x};")], keep=True), ret(f"return {x}.cpu();")], [x])
            entry = (h, "tensor", False)
        elif kind == "wrong":
            b = self.name("b")
            s = block(f"static torch::Tensor {h}({const}, bool {b})",
                      [Statement(f"if ({b})", body=[ret(f"return {x}.cpu();")], keep=True), ret(f"return {x};")], [x, b])
            entry = (h, "tensor", True)
        elif kind == "pass":
            s, entry = block(f"static torch::Tensor {h}(torch::Tensor {x})", [ret(f"return {x};")], [x]), (h, "tensor", False)
        elif kind == "check":
            s = block(f"static void {h}({const})", [Statement(f'TORCH_CHECK({x}.is_cpu(), "guard");')], [x])
            entry = (h, "check", False)
        elif kind == "predicate":
            s, entry = block(f"static bool {h}({const})", [ret(f"return {x}.device().is_cpu();")], [x]), (h, "predicate", False)
        elif kind == "read":
            s = block(f"static double {h}({const})", [ret(f"return {x}.data_ptr<float>()[0];", acc=True)], [x])
            entry = (h, "read", False)
        elif kind == "readp":
            s = block(f"static double {h}(const float *{x})", [ret(f"return {x}[0];", use=[x])], [x])
            entry = (h, "readp", x)
        elif kind == "template":
            s = block(f"template <typename T> static double {h}({const})", [ret(f"return {x}.template data_ptr<T>()[0];", acc=True)], [x])
            entry = (f"{h}<float>", "read", False)
        elif kind == "fallback":
            text = self.rng.choice([f"{x}.cpu()", f"{x}.clone()"])
            s = block(f"static double {h}({const})",
                      [Statement(f"if (!{x}.is_cpu())", body=[ret(f"return {h}({text});")], keep=True),
                       ret(f"return {x}.data_ptr<float>()[0];", acc=True)], [x])
            if text.endswith("clone()"):
                # It would call itself for ever.
                s.body[0].body[0].text = f"return {x}.sum().item<double>();"
            entry = (h, "read", False)
        elif kind == "nested":
            inner = self.rng.choice([entry for entry in self.helpers if entry[1] == "tensor"])
            b = self.name("b")
            call = f"{inner[0]}({x}{', ' + b if inner[2] else ''})"
            text = self.rng.choice([call, f"{call} + 1", f"{b} ? {call} : {x}", f"{b} ? {x}.cpu() : {call}"])
            s = block(f"static torch::Tensor {h}({const}, bool {b})", [ret(f"return {text};")], [x, b])
            entry = (h, "tensor", True)
        elif kind == "to":
            d = self.name("d")
            s = block(f"static torch::Tensor {h}({const}, torch::Device {d})", [ret(f"return {x}.to({d});")], [x, d])
            entry = (h, "to", True)
        elif kind == "local":
            y = self.name("y")
            made = self.rng.choice([f"{x}.cpu()", f"{x}.contiguous()", f"{x}", f"{x}.detach()", f"{x}.to(torch::kCPU)"])
            s = block(f"static const float *{h}({const})", [Statement(f"torch::Tensor {y} = {made};", decl=[y]),
                                                          ret(f"return {y}.data_ptr<float>();", flows=[(h, "ACC")])], [x])
            entry = (h, "pointer", False)
        elif kind == "output":
            p = self.name("p")
            s = block(f"static void {h}({const}, const float *&{p})",
                      [Statement(f"{p} = {x}.data_ptr<float>();", flows=[(h, "ACC")])], [x, p])
            entry = (h, "output", False)
        elif kind == "value":
            # Its parameter is a copy of the handle: the caller's tensor stays where it is.
            s = block(f"static void {h}(torch::Tensor {x})", [Statement(f"{x} = {x}.{self.rng.choice(['cpu()', 'cuda()'])};")], [x])
            entry = (h, "value", False)
        elif kind == "pair":
            first = self.rng.choice([f"{x}", f"{x}.cpu()", f"{x} + 1"])
            s = block(f"static std::pair<torch::Tensor, torch::Tensor> {h}({const})",
                      [ret(f"return {{{first}, {self.rng.choice([x, x + '.cpu()'])}}};")], [x])
            entry = (h, "pair", False)
        elif kind == "class":
            s, entry = self.keeper(h, x)
        elif kind == "pointer":
            s = block(f"static const float *{h}({const})", [ret(f"return {x}.data_ptr<float>();", flows=[(h, "ACC")])], [x])
            entry = (h, "pointer", False)
        else:
            b = self.name("b")
            s = block(f"static void {h}(torch::Tensor &{x}, bool {b})",
                      [Statement(f"if ({b})", body=[Statement(f"{x} = {x}.{self.rng.choice(['to(torch::kCUDA)', 'cpu()'])};")])], [x, b])
            entry = (h, "move", True)
        self.helpers.append(entry)
        return s

    def keeper(self, k, x):
        """A class that keeps a tensor. Pointers in its fields would escape, which is reported only on request."""
        m, setter, reader, mover = self.name("m"), self.name("set"), self.name("read"), self.name("move")
        kept = self.rng.choice([x, f"{x}.cpu()", f"{x}.detach()", f"{x} * 2"])
        read = Statement(f"return {m}.data_ptr<float>()[0];", acc=True, keep=True)
        methods = [Statement(f"void {setter}(const torch::Tensor &{x})", body=[Statement(f"{m} = {kept};")], inner=[x])]
        if self.chance(0.5):
            methods.append(Statement(f"void {mover}()", body=[Statement(f"{m} = {m}.{self.rng.choice(['cuda()', 'cpu()', 'clone()'])};")],
                                     decl=[mover]))
        else:
            mover = None
        body = [read]
        if self.chance(0.3):
            body = [Statement(f"if (!{m}.is_cpu())", body=[Statement("return 0;")])] + body
        methods.append(Statement(f"double {reader}() const", body=body))
        fields = [Statement(f"torch::Tensor {m};", decl=[m])]
        order = [Statement("public:"), *methods, Statement("private:"), *fields] if self.chance(0.5) else [*fields, *methods]
        keyword = "class" if order[0].text == "public:" else "struct"
        # Members may be used before they are declared.
        s = Statement(f"{keyword} {k}", body=order, decl=[k, setter, reader] + ([mover] if mover else []), inner=[m, reader, setter, mover],
                      close=";")
        return s, (k, "class", (setter, reader, mover))

    # --- statements

    def setup(self):
        made = []
        if self.chance(0.75):
            d = self.declare(Var(self.name("d"), "device"))
            choice = self.rng.choice([f"{self.flag()} ? torch::Device(torch::kCUDA) : torch::Device(torch::kCPU)",
                                      "torch::cuda::is_available() ? torch::kCUDA : torch::kCPU", "torch::kCUDA", "torch::kCPU"])
            made.append(Statement(f"torch::Device {d.name} = {choice};", decl=[d.name]))
        if self.chance(0.2):
            o = Var(self.name("opt"), "options", dtype=self.rng.choice("ffd"))
            made.append(Statement(f"auto {o.name} = torch::TensorOptions().dtype({TORCH[o.dtype]}).device({self.device()});", decl=[o.name]))
            if self.chance(0.4):
                made.append(Statement(f"if ({self.flag()})", body=[Statement(f"{o.name} = {o.name}.device({self.device()});")]))
            self.declare(o)
        for _ in range(self.rng.choice([1, 2, 2, 3])):
            text, shape, dtype = self.factory()
            t = Var(self.name("t"), "tensor", shape, dtype)
            made.append(Statement(f"torch::Tensor {t.name} = {text};", decl=[t.name]))
            self.declare(t)
        return made

    def new_tensor(self):
        text, shape, dtype, plain = self.expression()
        t = Var(self.name("t"), "tensor", shape, dtype, plain)
        kind = self.rng.choice(["torch::Tensor"] * 3 + ["auto", "const torch::Tensor &"])
        t.fixed = "&" in kind
        s = Statement(f"{kind} {t.name} = {text};".replace("& ", "&"), decl=[t.name])
        self.declare(t)
        return [s]

    def assign(self):
        """`t = ...` of the same shape and type."""
        t = self.pick("tensor", test=lambda v: not v.fixed)
        if not t:
            return []
        for _ in range(12):
            text, shape, dtype, plain = self.expression()
            if (shape, dtype) == (t.shape, t.dtype):
                t.plain = t.plain and plain
                return [Statement(f"{t.name} = {text};")]
        moved, dtype = self.move(t.name, t.shape, t.dtype, t.plain)
        return [Statement(f"{t.name} = {moved};")] if dtype == t.dtype else []

    def pointer_source(self, dtype=None):
        """(text, dtype, count) of an accessor call on a tensor or on a temporary."""
        for _ in range(10):
            if self.chance(0.55):
                v = self.pick("tensor")
                text, shape, kind, plain = v.name, v.shape, v.dtype, v.plain
            else:
                text, shape, kind, plain = self.expression()
            if kind == "b" or (dtype and kind != dtype):
                continue
            accessor = self.rng.choice([f"data_ptr<{CTYPE[kind]}>()"] * 4 + ["data_ptr()"])
            text = f"{text}.{accessor}"
            if accessor == "data_ptr()":
                text = f"static_cast<{CTYPE[kind]} *>({text})"
            return text, kind, numel(shape) if plain else 1
        return None

    def new_pointer(self):
        kind = self.rng.random()
        old = self.pick("ptr")
        if old and kind < 0.2:
            p = Var(self.name("p"), "ptr", dtype=old.dtype, count=old.count)
            offset = self.rng.randrange(old.count) if old.count > 1 and self.chance(0.5) else 0
            p.count -= offset
            s = Statement(f"const {CTYPE[p.dtype]} *{p.name} = {old.name}{f' + {offset}' if offset else ''};",
                          decl=[p.name], flows=[(p.name, old.name)])
            self.declare(p)
            return [s]
        pointers = [h for h in self.helpers if h[1] == "pointer"]
        if pointers and kind < 0.4:
            t = self.pick("tensor", test=lambda v: v.dtype == "f")
            if t:
                p = Var(self.name("p"), "ptr", dtype="f", count=1)
                h = self.rng.choice(pointers)[0]
                text = t.name if self.chance(0.6) else self.rng.choice([f"{t.name}.cpu()", f"({t.name} + 1)", f"{t.name}.view({{-1}})" if t.plain else t.name])
                self.declare(p)
                return [Statement(f"const float *{p.name} = {h}({text});", decl=[p.name], flows=[(p.name, h), (p.name, "ACC")])]
        source = self.pointer_source()
        if not source:
            return []
        text, dtype, count = source
        mutable = self.chance(0.25)
        p = Var(self.name("p"), "ptr", dtype=dtype, count=count, mutable=mutable)
        const = "" if mutable else "const "
        self.declare(p)
        if self.chance(0.2):
            return [Statement(f"{const}{CTYPE[dtype]} *{p.name} = nullptr;", decl=[p.name]),
                    Statement(f"if ({self.flag()})", body=[Statement(f"{p.name} = {text};", flows=[(p.name, "ACC")])],
                              other=[Statement(f"{p.name} = {text};", flows=[(p.name, "ACC")])], decl=[])] \
                if self.chance(0.3) else \
                [Statement(f"{const}{CTYPE[dtype]} *{p.name} = {text};", decl=[p.name], flows=[(p.name, "ACC")])]
        return [Statement(f"{const}{CTYPE[dtype]} *{p.name} = {text};", decl=[p.name], flows=[(p.name, "ACC")])]

    def repoint(self):
        p = self.pick("ptr")
        if not p:
            return []
        other = self.pick("ptr", test=lambda v: v.dtype == p.dtype and v is not p and v.count >= p.count and (v.mutable or not p.mutable))
        if other and self.chance(0.4):
            return [Statement(f"{p.name} = {other.name};", flows=[(p.name, other.name)])]
        for _ in range(6):
            source = self.pointer_source(p.dtype)
            if source and source[2] >= p.count:
                s = Statement(f"{p.name} = {source[0]};", flows=[(p.name, "ACC")])
                return [Statement(f"if ({self.flag()})", body=[s])] if self.chance(0.4) else [s]
        return []

    def read_pointer(self):
        p = self.pick("ptr")
        if not p:
            return self.direct_read()
        i = self.rng.randrange(max(1, p.count))
        r = self.rng.randrange(9)
        c = CTYPE[p.dtype]
        if r < 3:
            return [Statement(f"out({p.name}[{i}]);", use=[p.name])]
        if r == 3:
            return [Statement(f"out(*({p.name} + {i}));" if i else f"out(*{p.name});", use=[p.name])]
        if r == 4:
            v = self.name("v")
            return [Statement(f"std::vector<{c}> {v}({p.name}, {p.name} + {p.count}); out({v}[{i}]);", decl=[v], use=[p.name])]
        if r == 5:
            b = self.name("buf")
            return [Statement(f"{c} {b}[{p.count}]; std::memcpy({b}, {p.name}, sizeof({c}) * {p.count}); out({b}[{i}]);",
                              decl=[b], use=[p.name])]
        if r == 6:
            return [Statement(f"out(std::accumulate({p.name}, {p.name} + {p.count}, 0.0));", use=[p.name])]
        if r == 7:
            k = self.name("i")
            if self.chance(0.3):
                return [Statement(f"at::parallel_for(0, 1, 1, [&](int64_t, int64_t) {{ out({p.name}[{i}]); }});", use=[p.name])]
            if self.chance(0.3):
                return [Statement(f"int {k} = 0;", decl=[k]), Statement(f"while ({k} < {p.count})", body=[
                    Statement(f"out({p.name}[{k}++]);", use=[p.name])])]
            return [Statement(f"for (int {k} = 0; {k} < {p.count}; ++{k})", inner=[k],
                              body=[Statement(f"out({p.name}[{k}]);", use=[p.name])])]
        if self.chance(0.5):
            v = self.name("v")
            text = self.rng.choice([f"std::vector<{c}> {v}; {v}.assign({p.name}, {p.name} + {p.count}); out({v}[{i}]);",
                                    f"{c} {v}[{p.count}]; std::copy({p.name}, {p.name} + {p.count}, {v}); out({v}[{i}]);",
                                    f"{c} {v}[{p.count}]; std::copy_n({p.name}, {p.count}, {v}); out({v}[{i}]);",
                                    f"out(at::ArrayRef<{c}>({p.name}, {p.count})[{i}]);",
                                    f"out(*std::max_element({p.name}, {p.name} + {p.count}));"])
            return [Statement(text, use=[p.name], decl=[v])]
        readers = [h for h in self.helpers if h[1] == "readp"]
        if readers and p.dtype == "f":
            h = self.rng.choice(readers)
            return [Statement(f"out({h[0]}({p.name}));", flows=[(h[2], p.name)])]
        f = self.name("fn")
        capture = self.rng.choice(["&", "="])
        return [Statement(f"auto {f} = [{capture}]", body=[Statement(f"out({p.name}[{i}]);", use=[p.name])], decl=[f],
                          close=";"), Statement(f"{f}();")]

    def direct_read(self):
        r = self.rng.randrange(10)
        readers = [h for h in self.helpers if h[1] == "read"]
        if readers and r < 2:
            t = self.pick("tensor", test=lambda v: v.dtype == "f")
            if t:
                return [Statement(f"out({self.rng.choice(readers)[0]}({t.name}));")]
        if r < 4:
            t = self.pick("tensor", test=lambda v: v.dtype != "b" and len(v.shape) in (1, 2) and 0 not in v.shape)
            if t:
                a = self.name("a")
                index = "".join(f"[{self.rng.randrange(n)}]" for n in t.shape)
                if self.chance(0.4):
                    return [Statement(f"out({t.name}.accessor<{CTYPE[t.dtype]}, {len(t.shape)}>(){index});", acc=True)]
                v = self.declare(Var(a, "acc", t.shape, t.dtype))
                return [Statement(f"auto {a} = {t.name}.accessor<{CTYPE[t.dtype]}, {len(t.shape)}>();", decl=[a], flows=[(a, "ACC")]),
                        Statement(f"out({v.name}{index});", use=[a])]
        if r == 4 and self.chance(0.4):
            t = self.pick("tensor", test=lambda v: v.dtype in "fd")
            if t:
                text = self.rng.choice([f"out({t.name}.data_ptr<scalar_t>()[0]);",
                                        f"const scalar_t *data = {t.name}.data_ptr<scalar_t>(); out(data[0]);"])
                return [Statement(f'AT_DISPATCH_FLOATING_TYPES({t.name}.scalar_type(), "read", [&] {{ {text} }});', acc=True)]
        if r == 4:
            t = self.pick("tensor")
            return [Statement(f"out({t.name}.sum().item<double>());")] if t.dtype != "b" else []
        source = self.pointer_source()
        if not source:
            return []
        text, dtype, count = source
        i = self.rng.randrange(max(count, 1))
        if r == 5:
            v = self.name("v")
            t = self.pick("tensor", test=lambda v: v.dtype in "fd" and v.plain)
            if t:
                c = CTYPE[t.dtype]
                n = numel(t.shape)
                d = f"{t.name}.data_ptr<{c}>()"
                return [Statement(f"std::vector<{c}> {v}({d}, {d} + {n}); out({v}[{n - 1}]);", decl=[v], acc=True)]
        if r == 6:
            b = self.name("buf")
            c = CTYPE[dtype]
            return [Statement(f"{c} {b}[{count}]; std::memcpy({b}, {text}, sizeof({c}) * {count}); out({b}[{i}]);", decl=[b], acc=True)]
        if r == 7 and dtype in "fd":
            w = self.declare(Var(self.name("t"), "tensor", (count,), dtype))
            w.fixed = True
            base = text
            return [Statement(f"torch::Tensor {w.name} = torch::from_blob({base}, {{{count}}}, {TORCH[dtype]}).clone();", decl=[w.name], acc=True)]
        return [Statement(f"out({text}[{i}]);", acc=True)]

    def write_pointer(self):
        p = self.pick("ptr", test=lambda v: v.mutable)
        if not p:
            return []
        text = self.rng.choice([f"{p.name}[{self.rng.randrange(max(1, p.count))}] = 7;", f"*{p.name} += 1;",
                                f"std::fill({p.name}, {p.name} + {p.count}, 3);",
                                f"std::memset({p.name}, 0, sizeof({CTYPE[p.dtype]}) * {p.count});"])
        return [Statement(text, use=[p.name], write="plain")]

    def in_place(self):
        t = self.pick("tensor", test=lambda v: v.dtype in "fdl" and v.plain)
        if not t:
            return []
        if self.chance(0.2):
            return [Statement(f"{t.name}.cpu().{self.rng.choice(['fill_(9)', 'add_(3)', 'zero_()'])};", write="copy"),
                    Statement(f"out({t.name}.sum().item<double>());")]
        return [Statement(f"{t.name}.{self.rng.choice(['add_(1)', 'mul_(2)', 'fill_(4)', 'relu_()'])};", write="plain")]

    def guard(self):
        t = self.pick("tensor")
        other = self.pick("tensor")
        yes, no = self.condition(t)
        kind = self.rng.randrange(10)
        reads = lambda: self.guarded_reads(t)
        if kind == 0:
            macro = self.rng.choice(["TORCH_CHECK(%s, \"guard\");"] * 2 + ["TORCH_INTERNAL_ASSERT(%s, \"guard\");", "assert(%s);"])
            if self.chance(0.2) and t.dtype != "b":
                return [Statement(f"switch ({t.name}.device().type()) {{ case torch::kCPU: out({t.name}.data_ptr<{CTYPE[t.dtype]}>()[0]); break; default: break; }}",
                                  acc=True)]
            return [Statement(macro % yes, guard=macro % no)] + reads()
        if kind == 1:
            return [Statement(f"if (!({yes}))", body=[Statement("return;")], guard=f"if ({yes})")] + reads()
        if kind == 2 and not t.fixed:
            return [Statement(f"if ({no})", body=[Statement(f"{t.name} = {t.name}.cpu();")], guard=f"if ({yes})")] + reads()
        if kind == 3:
            b = self.name("b")
            return [Statement(f"const bool {b} = {yes};", decl=[b], guard=f"const bool {b} = {no};"),
                    Statement(f"if ({b})", body=self.block(reads))]
        if kind == 4:
            return [Statement(f"if ({yes} && {self.flag()})", body=self.block(reads), guard=f"if ({no} && {self.flag()})")]
        if kind == 5:
            return [Statement(f"if ({yes} || {self.flag()})", body=self.block(reads))]
        if kind == 6:
            return [Statement(f"if ({no})", body=self.block(reads), other=self.block(reads), guard=f"if ({yes})")]
        if kind == 7:
            yes, no = self.condition(other)
            return [Statement(f"if ({yes})", body=self.block(reads), guard=f"if ({no})")]
        checks = [h for h in self.helpers if h[1] == "check"]
        if kind == 8 and checks:
            return [Statement(f"{self.rng.choice(checks)[0]}({t.name});")] + reads()
        return [Statement(f"if ({yes})", body=self.block(reads), guard=f"if ({no})")]

    def guarded_reads(self, t):
        if t.dtype == "b":
            return []
        c = CTYPE[t.dtype]
        if self.chance(0.5):
            return [Statement(f"out({t.name}.data_ptr<{c}>()[0]);", acc=True)]
        p = self.declare(Var(self.name("p"), "ptr", dtype=t.dtype, count=numel(t.shape) if t.plain else 1))
        more = self.statement() if self.chance(0.25) else []
        return [Statement(f"const {c} *{p.name} = {t.name}.data_ptr<{c}>();", decl=[p.name], flows=[(p.name, "ACC")])] + more + \
               [Statement(f"out({p.name}[{max(0, p.count - 1)}]);", use=[p.name])]

    def block(self, fill):
        self.frames.append([])
        self.depth += 1
        made = fill()
        self.depth -= 1
        self.frames.pop()
        return made

    def several(self):
        made = []
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            made += self.statement()
        return made

    def branch(self):
        if self.depth >= 2:
            return []
        if self.chance(0.3):
            return [Statement(f"if ({self.test()})", body=self.block(self.several), other=self.block(self.several))]
        if self.chance(0.25):
            k = self.name("i")
            self.loops += 1
            body = self.block(self.several)
            self.loops -= 1
            return [Statement(f"for (int {k} = 0; {k} < 2; ++{k})", inner=[k], body=body)]
        if self.loops and self.chance(0.3):
            return [Statement(f"if ({self.test()})", body=[Statement(self.rng.choice(["break;", "continue;"]))])]
        if self.chance(0.06):
            return [Statement(f"if ({self.test()})", body=[Statement("return;")])]
        if self.chance(0.15):
            return [Statement("", body=self.block(self.several))]
        return [Statement(f"if ({self.test()})", body=self.block(self.several))]

    def test(self):
        """A condition over the flags."""
        a, b = self.flag(), self.flag()
        return self.rng.choice([a, a, a, f"!{a}", f"!{a}", f"{a} && {b}", f"{a} || {b}", f"{a} && !{b}", f"{a} != {b}"])

    def container(self):
        t, u = self.pick("tensor"), self.pick("tensor")
        r = self.rng.randrange(7)
        if r == 0:
            v, x = self.name("v"), self.name("t")
            made = [Statement(f"std::vector<torch::Tensor> {v};", decl=[v]), Statement(f"{v}.push_back({t.name});")]
            moved, dtype = self.move(t.name, t.shape, t.dtype, t.plain)
            if dtype == t.dtype:
                made.append(Statement(f"{v}.push_back({moved});"))
            if t.dtype == "b":
                return made
            return made + [Statement(f"for (const torch::Tensor &{x} : {v})", inner=[x],
                                     body=[Statement(f"out({x}.data_ptr<{CTYPE[t.dtype]}>()[0]);", acc=True)])]
        if r == 1:
            v = self.name("v")
            x = Var(self.name("t"), "tensor", t.shape, t.dtype, t.plain)
            s = [Statement(f"std::vector<torch::Tensor> {v} = {{{t.name}, {u.name}.cpu()}};", decl=[v]),
                 Statement(f"torch::Tensor {x.name} = {v}[0];", decl=[x.name])]
            self.declare(x)
            return s
        if r == 2:
            a, b = Var(self.name("t"), "tensor", t.shape, t.dtype, t.plain), Var(self.name("t"), "tensor", u.shape, u.dtype, u.plain)
            s = Statement(f"auto [{a.name}, {b.name}] = std::make_tuple({t.name}, {u.name}.cpu());", decl=[a.name, b.name])
            a.fixed = b.fixed = True
            self.declare(a), self.declare(b)
            return [s]
        if r == 3:
            o = self.name("o")
            if t.dtype == "b":
                return []
            return [Statement(f"std::optional<torch::Tensor> {o};", decl=[o]), Statement(f"if ({self.flag()})", body=[Statement(f"{o} = {t.name};")]),
                    Statement(f"if ({o})", body=[Statement(f"out({o}->data_ptr<{CTYPE[t.dtype]}>()[0]);", acc=True)])]
        if r == 4 and t.dtype != "b":
            k, s = self.name("k"), self.name("s")
            c = CTYPE[t.dtype]
            source = self.rng.choice([t.name, f"{t.name}.cpu()", f"{t.name}.view({{-1}})" if t.plain else t.name])
            return [Statement(f"struct {k} {{ const {c} *data; int64_t size; }};", decl=[k]),
                    Statement(f"{k} {s}{{{source}.data_ptr<{c}>(), 1}};", decl=[s], flows=[(s, "ACC")]),
                    Statement(f"out({s}.data[0]);", use=[s])]
        if r == 5 and t.dtype != "b":
            k, s = self.name("k"), self.name("s")
            c = CTYPE[t.dtype]
            return [Statement(f"struct {k} {{ torch::Tensor owner; const {c} *data = nullptr; }};", decl=[k]),
                    Statement(f"{k} {s};", decl=[s]), Statement(f"{s}.owner = {self.rng.choice([t.name, t.name + '.cpu()'])};"),
                    Statement(f"{s}.data = {s}.owner.data_ptr<{c}>();", flows=[(s, "ACC")]),
                    Statement(f"out({s}.data[0]);", use=[s])]
        if t.shape and t.dtype in "fd":
            a, b = Var(self.name("t"), "tensor", t.shape[1:], t.dtype, False), Var(self.name("t"), "tensor", t.shape[1:], "l", False)
            s = Statement(f"auto [{a.name}, {b.name}] = {t.name}.max(0);", decl=[a.name, b.name])
            a.fixed = b.fixed = True
            self.declare(a), self.declare(b)
            return [s]
        return []

    def asynchronous(self):
        t = self.pick("tensor", test=lambda v: v.dtype in "fd" and v.plain)
        if not t or self.depth > 0:
            return []
        h = Var(self.name("t"), "tensor", t.shape, t.dtype)
        h.fixed = True
        self.declare(h)
        made = [Statement(f"torch::Tensor {h.name} = {t.name}.to(torch::kCPU, /*non_blocking=*/true);", decl=[h.name])]
        if self.chance(0.5):
            made.append(Statement("torch::cuda::synchronize();"))
        elif self.chance(0.3):
            made.append(Statement(f"if ({self.flag()})", body=[Statement("torch::cuda::synchronize();")]))
        return made + [Statement(f"out({h.name}.data_ptr<{CTYPE[h.dtype]}>()[0]);", acc=True)]

    def same(self, of, fixed=True):
        return self.pick("tensor", test=lambda v: v is not of and (v.shape, v.dtype) == (of.shape, of.dtype) and (fixed or not v.fixed))

    def forget(self, var):
        for frame in self.frames:
            if var in frame:
                frame.remove(var)

    def choice(self):
        """A tensor that a flag or a guard chooses."""
        a = self.pick("tensor")
        b = self.same(a) or a
        t = Var(self.name("t"), "tensor", a.shape, a.dtype, a.plain and b.plain)
        kind = self.rng.randrange(4)
        first, second = a.name, self.rng.choice([b.name, f"{b.name}.cpu()", f"{b.name}.clone()", f"{b.name}.to({self.device()})"])
        if self.chance(0.5):
            first, second = second, first
        if kind == 0:
            made = [Statement(f"torch::Tensor {t.name} = {self.test()} ? {first} : {second};", decl=[t.name])]
        elif kind == 1:
            yes, no = self.condition(a)
            first, second = (a.name, f"{a.name}.cpu()") if self.chance(0.7) else (f"{a.name}.cpu()", a.name)
            made = [Statement(f"torch::Tensor {t.name} = {yes} ? {first} : {second};", decl=[t.name],
                              guard=f"torch::Tensor {t.name} = {no} ? {first} : {second};")]
        elif kind == 2:
            made = [Statement(f"torch::Tensor {t.name} = {first};", decl=[t.name]),
                    Statement(f"if ({self.test()})", body=[Statement(f"{t.name} = {second};")])]
        else:
            made = [Statement(f"torch::Tensor {t.name};", decl=[t.name]),
                    Statement(f"if ({self.test()})", body=[Statement(f"{t.name} = {first};")], other=[Statement(f"{t.name} = {second};")])]
        self.declare(t)
        return made

    def handle(self):
        """Handles that are references, moved, exchanged or given up."""
        t = self.pick("tensor", test=lambda v: not v.fixed)
        if not t:
            return []
        kind = self.rng.randrange(6)
        mine = t in self.frames[-1] and self.loops == 0 and "*" not in t.name
        if kind == 0:
            r = self.declare(Var(self.name("r"), "tensor", t.shape, t.dtype, t.plain))
            return [Statement(f"torch::Tensor &{r.name} = {t.name};", decl=[r.name])]
        if kind == 1:
            q = self.name("q")
            self.declare(Var(f"(*{q})", "tensor", t.shape, t.dtype, t.plain))
            return [Statement(f"torch::Tensor *{q} = &{t.name};", decl=[q])]
        if kind == 2:
            other = self.same(t, fixed=False)
            if not other or t.plain != other.plain:
                return []
            return [Statement(f"std::swap({t.name}, {other.name});")]
        if kind == 3 and mine and not self.referred(t):
            u = Var(self.name("t"), "tensor", t.shape, t.dtype, t.plain)
            self.forget(t)
            self.declare(u)
            return [Statement(f"torch::Tensor {u.name} = std::move({t.name});", decl=[u.name])]
        if kind == 4 and mine and not self.referred(t) and len(self.visible("tensor")) > 2:
            self.forget(t)
            return [Statement(self.rng.choice([f"{t.name}.reset();", f"{t.name} = torch::Tensor();"]))]
        if kind == 5:
            u = self.same(t)
            return [Statement(f"{t.name}.copy_({u.name});", write="plain")] if u else []
        return []

    def referred(self, t):
        """Whether other names may stand for the variable."""
        return len(self.visible("tensor", test=lambda v: v.name.startswith(("r", "(*")))) > 0

    def closure(self):
        t = self.pick("tensor", test=lambda v: v.dtype == "f")
        if not t:
            return []
        f, x = self.name("fn"), self.name("x")
        kind = self.rng.randrange(4)
        if kind == 0:
            p = self.declare(Var(self.name("p"), "ptr", dtype="f", count=1))
            of = self.rng.choice([t.name, f"{t.name}.cpu()", f"({t.name} + 1)"])
            return [Statement(f"auto {f} = [](const torch::Tensor &{x})", inner=[x], decl=[f], close=";",
                              body=[Statement(f"return {x}.data_ptr<float>();", flows=[(f, "ACC")], keep=True)]),
                    Statement(f"const float *{p.name} = {f}({of});", decl=[p.name], flows=[(p.name, f), (p.name, "ACC")])]
        if kind == 1:
            head = self.rng.choice([f"std::function<double(const torch::Tensor &)> {f} = [](const torch::Tensor &{x}) -> double",
                                    f"auto {f} = [](const torch::Tensor &{x}) -> double"])
            body = [Statement(f"return {x}.data_ptr<float>()[0];", acc=True, keep=True)]
            if self.chance(0.4):
                body = [Statement(f"if (!{x}.is_cpu())", body=[Statement("return 0;")])] + body
            return [Statement(head, inner=[x], decl=[f], close=";", body=body), Statement(f"out({f}({t.name}));")]
        if kind == 2 and not t.fixed:
            return [Statement(f"auto {f} = [&]", decl=[f], close=";",
                              body=[Statement(f"{t.name} = {t.name}.{self.rng.choice(['cpu()', 'cuda()', 'clone()'])};")]),
                    Statement(f"if ({self.test()})", body=[Statement(f"{f}();")])]
        # By value: the closure keeps the storage.
        return [Statement(f"auto {f} = [{t.name}]" if "*" not in t.name else f"auto {f} = [&]", decl=[f], close=";",
                          body=[Statement(f"out({t.name}.data_ptr<float>()[0]);", acc=True)])] + self.assign() + [Statement(f"{f}();")]

    def object(self):
        classes = [h for h in self.helpers if h[1] == "class"]
        t = self.pick("tensor", test=lambda v: v.dtype == "f")
        if not classes or not t:
            return []
        k, _, (setter, reader, mover) = self.rng.choice(classes)
        o = self.name("obj")
        made = [Statement(f"{k} {o};", decl=[o]), Statement(f"{o}.{setter}({t.name});")]
        if mover and self.chance(0.6):
            move = Statement(f"{o}.{mover}();")
            made.append(Statement(f"if ({self.test()})", body=[move]) if self.chance(0.5) else move)
        return made + [Statement(f"out({o}.{reader}());")]

    def sizes(self):
        """Sizes and strides are memory of the handle."""
        s = self.name("sz")
        text, shape, _, _ = self.expression(self.rng.choice([0, 1, 1]))
        if not shape:
            return []
        made = [Statement(f"torch::IntArrayRef {s} = {text}.{self.rng.choice(['sizes()', 'strides()'])};", decl=[s], flows=[(s, "ACC")])]
        return made + (self.assign() if self.chance(0.4) else []) + [Statement(f"out({s}[0]);", use=[s])]

    def blob(self):
        """A tensor over memory of the program's own."""
        n = self.rng.choice([2, 4])
        t, b = Var(self.name("t"), "tensor", (n,), "f"), self.name("buf")
        memory = self.rng.choice([f"float {b}[{n}] = {{}};", f"std::vector<float> {b}({n});"])
        data = f"{b}.data()" if "vector" in memory else b
        view = self.rng.choice(["", "", ".clone()", ".view({-1})", ".to(torch::kFloat)", " + 1", f".to({self.device()})"])
        make = f"torch::from_blob({data}, {{{n}}}, torch::kFloat){view}"
        self.declare(t)
        if self.chance(0.5):
            return [Statement(memory, decl=[b]), Statement(f"torch::Tensor {t.name} = {make};", decl=[t.name])]
        # The memory goes before the tensor.
        return [Statement(f"torch::Tensor {t.name} = torch::zeros({{{n}}});", decl=[t.name]),
                Statement("" if self.chance(0.6) else f"if ({self.test()})",
                          body=[Statement(memory, decl=[b]), Statement(f"{t.name} = {make};", flows=[(b, "ACC")])]),
                Statement(f"out({t.name}.data_ptr<float>()[{n - 1}]);", acc=True, use=[b])]

    def caught(self):
        t = self.pick("tensor")
        yes, no = self.condition(t)
        body = [Statement(f'TORCH_CHECK({yes}, "guard");', guard=f'TORCH_CHECK({no}, "guard");')] + self.block(lambda: self.guarded_reads(t))
        return [Statement("try", body=body, close=" catch (const c10::Error &) {}")] + (self.direct_read() if self.chance(0.5) else [])

    def booleans(self):
        """A guard and a flag in one variable; or a flag that decides twice."""
        t = self.pick("tensor")
        yes, no = self.condition(t)
        b = self.name("b")
        kind = self.rng.randrange(4)
        reads = lambda: self.guarded_reads(t)
        if kind == 0:
            return [Statement(f"const bool {b} = {self.flag()} && {yes};", decl=[b], guard=f"const bool {b} = {self.flag()} && {no};"),
                    Statement(f"if ({b})", body=self.block(reads))]
        if kind == 1:
            return [Statement(f"const bool {b} = {self.flag()} || {yes};", decl=[b]), Statement(f"if ({b})", body=self.block(reads))]
        if kind == 2 and not t.fixed:
            return [Statement(f"bool {b} = {self.test()};", decl=[b]), Statement(f"if ({b})", body=[Statement(f"{t.name} = {t.name}.cpu();")]),
                    Statement(f"if ({b})", body=self.block(reads))]
        return [Statement(f"bool {b} = {yes};", decl=[b]), *self.assign(), Statement(f"if ({b})", body=self.block(reads))]

    def device_variable(self):
        d = self.pick("device")
        if not d:
            return []
        if self.chance(0.5):
            return [Statement(f"if ({self.test()})", body=[Statement(f"{d.name} = {self.rng.choice(['torch::kCUDA', 'torch::kCPU'])};")])]
        t = self.pick("tensor", test=lambda v: not v.fixed)
        return [Statement(f"if ({d.name}.is_cpu())" if self.chance(0.5) else f"if ({d.name} == torch::Device(torch::kCPU))",
                          body=self.block(lambda: self.guarded_reads(t or self.pick("tensor"))))]

    def outputs(self):
        """Helper functions that give back by reference, and that do nothing to their caller."""
        t = self.pick("tensor", test=lambda v: v.dtype == "f")
        found = [h for h in self.helpers if h[1] in ("output", "value", "pair")]
        if not found or not t:
            return []
        h, kind, _ = self.rng.choice(found)
        if kind == "value":
            return [Statement(f"{h}({t.name});")]
        if kind == "pair":
            a, b = Var(self.name("t"), "tensor", t.shape, "f", t.plain), Var(self.name("t"), "tensor", t.shape, "f", t.plain)
            a.fixed = b.fixed = True
            self.declare(a), self.declare(b)
            return [Statement(f"auto [{a.name}, {b.name}] = {h}({t.name});", decl=[a.name, b.name])]
        p = self.declare(Var(self.name("p"), "ptr", dtype="f", count=1))
        return [Statement(f"const float *{p.name} = nullptr;", decl=[p.name]),
                Statement(f"{h}({self.rng.choice([t.name, t.name, t.name + '.cpu()'])}, {p.name});", flows=[(p.name, h), (p.name, "ACC")])]

    def elements(self):
        """Elements of a container, changed and guarded."""
        t, u = self.pick("tensor", test=lambda v: v.dtype != "b"), None
        if not t:
            return []
        u = self.same(t) or t
        v, c = self.name("v"), CTYPE[t.dtype]
        i = self.rng.randrange(2)
        kind = self.rng.choice(["std::vector<torch::Tensor>", "std::array<torch::Tensor, 2>"])
        if self.chance(0.25):
            k = self.name("i")
            read = Statement(f"out({v}[{k}].data_ptr<{c}>()[0]);", acc=True)
            last = self.rng.choice([u.name, f"{u.name}.cpu()"])
            body = [read] if self.chance(0.5) else [Statement(f"if ({v}[{k}].is_cpu())", body=[read])]
            return [Statement(f"{kind} {v} = {{{t.name}, {last}}};", decl=[v]),
                    Statement(f"for (int {k} = 0; {k} < 2; ++{k})", inner=[k], body=body)]
        made = [Statement(f"{kind} {v} = {{{t.name}, {u.name}}};", decl=[v])]
        r = self.rng.randrange(5)
        x = self.name("e")
        if r == 0:
            made.append(Statement(f"for (torch::Tensor &{x} : {v})", inner=[x], body=[Statement(f"{x} = {x}.{self.rng.choice(['cpu()', 'cuda()'])};")]))
        elif r == 1:
            made.append(Statement(f"{v}[{self.rng.randrange(2)}] = {self.rng.choice([u.name + '.cpu()', u.name + '.to(' + self.device() + ')'])};"))
        elif r == 2:
            return made + [Statement(f"if ({v}[{i}].is_cpu())", body=[Statement(f"out({v}[{self.rng.choice([i, i, 1 - i])}].data_ptr<{c}>()[0]);", acc=True)])]
        elif r == 3:
            return made + [Statement(f"for (const torch::Tensor &{x} : {v})", inner=[x],
                                     body=[Statement(f"if ({x}.is_cpu())", body=[Statement(f"out({x}.data_ptr<{c}>()[0]);", acc=True)])])]
        p = self.declare(Var(self.name("p"), "ptr", dtype=t.dtype, count=1))
        made.append(Statement(f"const {c} *{p.name} = {v}[{i}].data_ptr<{c}>();", decl=[p.name], flows=[(p.name, "ACC")]))
        if self.chance(0.3):
            made.append(Statement(f"{v}[{i}] = {u.name}.clone();"))
        return made + [Statement(f"out({p.name}[0]);", use=[p.name])]

    def call(self):
        movers = [h for h in self.helpers if h[1] == "move"]
        t = self.pick("tensor", test=lambda v: not v.fixed)
        if not movers or not t:
            return []
        return [Statement(f"{self.rng.choice(movers)[0]}({t.name}, {self.flag()});")]

    def statement(self):
        kinds = [(self.new_tensor, 16), (self.assign, 12), (self.new_pointer, 16), (self.repoint, 5), (self.read_pointer, 18),
                 (self.direct_read, 12), (self.guard, 14), (self.branch, 14), (self.container, 8), (self.asynchronous, 2),
                 (self.call, 3), (self.write_pointer, 3), (self.in_place, 3), (self.choice, 7), (self.handle, 7), (self.closure, 4),
                 (self.object, 5), (self.sizes, 2), (self.blob, 3), (self.caught, 2), (self.booleans, 5), (self.device_variable, 3),
                 (self.outputs, 4), (self.elements, 4)]
        return self.rng.choices([k for k, _ in kinds], [w for _, w in kinds])[0]()

    def program(self):
        helpers = [self.helper() for _ in range(self.rng.choice([0, 1, 2, 2, 3]))]
        if self.chance(0.4):
            self.declare(Var("in0", "tensor", (2, 3), "f"))
        body = self.setup()
        for _ in range(self.rng.choice([4, 5, 6, 8, 10])):
            body += self.statement()
        return Program(helpers, body)


class Program:
    def __init__(self, helpers, body):
        self.helpers, self.body = helpers, body
        self.dropped = set()

    def copy(self):
        return copy.deepcopy(self)

    def _edited(self, edit):
        """A copy in which edit(index, statement) gives the statements that stand for each."""
        index = -1

        def rewrite(statements):
            nonlocal index
            made = []
            for s in statements:
                index += 1
                own = index
                for part in ("body", "other"):
                    if getattr(s, part) is not None:
                        setattr(s, part, rewrite(getattr(s, part)))
                made += edit(own, s)
            return made

        made = self.copy()
        made.helpers = rewrite(made.helpers)
        made.body = rewrite(made.body)
        return made

    def without(self, indices):
        """A copy without some of statements(), except what a function returns."""
        made = self._edited(lambda i, s: [] if i in indices and not s.keep else [s])
        made.dropped = set(indices)
        return made

    def unwrapped(self, index):
        """A copy with a block replaced by what is in it, or None."""
        s = self.statements()[index]
        if s.body is None or s.keep or not (s.text == "" or s.text.startswith("if (")):
            return None
        return self._edited(lambda i, s: s.body if i == index else [s])

    def statements(self):
        return list(walk(self.helpers + self.body))

    def well_formed(self):
        return well_formed(self.helpers + self.body)

    def flags(self):
        text = " ".join(s.text for s in self.statements())
        return sum(1 << i for i in range(3) if f"f{i}" in NAME.findall(text)) | (8 if "in0" in text else 0)

    def text(self, name, first):
        """(lines, {line: statement}); the first line has the number `first`."""
        lines, where = [], {}

        def emit(statements, indent, all_lines):
            for s in statements:
                where[first + len(lines)] = s
                s.line = first + len(lines)
                pad = "  " * indent
                # Where the body of `run` was, every line says: so that two runs can be compared as far as they go the
                # same way.
                record = "at_line = __LINE__; " if s.body is None and (all_lines or s.records()) else ""
                if s.body is None:
                    lines.append(pad + record + s.text)
                    continue
                lines.append(f"{pad}{s.text} {{".rstrip() if s.text else pad + "{")
                if s.text.startswith(("for ", "while ")):
                    # Two runs go the same way only as long as they do the same in each turn.
                    lines.append(pad + "  at_line = __LINE__;")
                emit(s.body, indent + 1, all_lines)
                if s.other is not None:
                    lines.append(pad + "} else {")
                    emit(s.other, indent + 1, all_lines)
                lines.append(pad + "}" + s.close)

        lines.append(f"namespace {name} {{")
        emit(self.helpers, 0, False)
        lines.append("void run(bool f0, bool f1, bool f2, torch::Tensor in0) {")
        lines.append("  (void)f0, (void)f1, (void)f2, (void)in0;")
        emit(self.body, 1, True)
        lines.append("}")
        lines.append("}")
        return lines, where

    def origins(self):
        """{pointer: lines of the accessor calls that it may come from}; after text()."""
        direct, edges = {}, {}
        for s in self.statements():
            for to, source in s.flows:
                if source == "ACC":
                    direct.setdefault(to, set()).add(s.line)
                else:
                    edges.setdefault(to, set()).add(source)
        changed = True
        while changed:
            changed = False
            for to, sources in edges.items():
                for source in sources:
                    if not direct.get(source, set()) <= direct.get(to, set()):
                        direct.setdefault(to, set()).update(direct[source])
                        changed = True
        return direct


def make(seed, number):
    return Generator(seed, number).program()
