#!/usr/bin/env python3
"""Writes checks/model/Operators.inc, the table of what LibTorch's operators do to tensors.

The facts come from PyTorch's own native_functions.yaml and derivatives.yaml, read by PyTorch's own
torchgen; all three are in the PyPI wheel `torch`. What they do not say is in rules.yaml.

    opmodel.py --torch DIR            writes the table
    opmodel.py --torch DIR --check    exit status 1 and a summary if the table is not up to date

DIR is an unpacked wheel: it holds torch/, torchgen/. Needs PyYAML.
"""

import argparse
import difflib
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
DEFAULT_OUTPUT = HERE.parent.parent / "checks" / "model" / "Operators.inc"

ARG_KINDS = {
    "Tensor": "Tensor", "Tensor?": "OptionalTensor", "Tensor[]": "TensorList",
    "Tensor?[]": "OptionalTensorList", "Scalar": "Scalar", "Scalar[]": "ScalarList",
    "int": "Int", "SymInt": "Int", "float": "Float", "bool": "Bool", "SymBool": "Bool",
    "int[]": "IntList", "SymInt[]": "IntList", "float[]": "FloatList", "bool[]": "BoolList",
    "ScalarType": "ScalarType", "Layout": "Layout", "Device": "Device",
    "MemoryFormat": "MemoryFormat", "str": "String", "Generator": "Generator",
    "Dimname": "Dimname", "Dimname[]": "DimnameList", "Storage": "Storage",
}
TENSOR_KINDS = {"Tensor", "OptionalTensor", "TensorList", "OptionalTensorList"}
INTEGER_TYPES = {"Bool", "BoolUnlessUInt8", "UInt8", "Int32", "Int64", "Int64OrInt32",
                 "Int64IfNoOptions"}


def arg_kind(schema_type):
    """The ArgKind of a schema type such as `SymInt[2]?`."""
    name = re.sub(r"\[\d+\]", "[]", str(schema_type))
    if name in ARG_KINDS:
        return ARG_KINDS[name]
    return ARG_KINDS.get(name.removesuffix("?"), "Other")


class Rules:
    """rules.yaml, with a record of which names were used."""

    def __init__(self, path):
        import yaml
        data = yaml.safe_load(path.read_text())
        self.extra = data["extra"]
        self.tables = {}
        for section in ("dtype", "base", "device", "layout", "shape"):
            self.tables[section] = self._invert(section, data[section].items())
        self.tables["storage"] = self._invert(
            "storage", [(entry["rule"], entry["ops"]) for entry in data["storage"]])
        self.tables["not_differentiable"] = self._invert(
            "not_differentiable", [(True, e["ops"]) for e in data["not_differentiable"]])
        self.tables["changes_storage"] = self._invert(
            "changes_storage", [(True, data["changes_storage"])])
        self.tables["pointwise"] = self._invert("pointwise", [(True, data["pointwise"])])
        self.tables["dtype_of_each"] = dict(data["dtype_of_each"])
        self.used = set()

    @staticmethod
    def _invert(section, groups):
        table = {}
        for rule, names in groups:
            for name in names:
                if table.setdefault(name, rule) != rule:
                    raise SystemExit(f"rules.yaml: {section}: {name} has two rules")
        return table

    def find(self, section, func_name):
        """The rule for an operator, the one for its overload before that for its name."""
        base = func_name.name.base
        if func_name.name.dunder_method:
            base = f"__{base}__"
        overload = func_name.overload_name
        for name in (f"{base}.{overload}", base):
            if name in self.tables[section]:
                self.used.add((section, name))
                return self.tables[section][name]
        return None

    def unused(self):
        return sorted(f"{section}: {name}" for section, table in self.tables.items()
                      for name in table if (section, name) not in self.used)


class Model:
    """Turns torchgen's functions into lines of the table."""

    def __init__(self, torch_dir, rules):
        sys.path.insert(0, str(torch_dir))
        from torchgen import local
        from torchgen.api import autograd, cpp
        from torchgen.gen import parse_native_yaml
        from torchgen.model import FunctionSchema, SchemaKind, Variant
        from torchgen.packaged.autograd.gen_variable_type import DONT_REQUIRE_DERIVATIVE
        from torchgen.packaged.autograd.load_derivatives import load_derivatives

        self.autograd, self.cpp, self.local = autograd, cpp, local
        self.FunctionSchema, self.SchemaKind, self.Variant = FunctionSchema, SchemaKind, Variant
        self.no_derivative = DONT_REQUIRE_DERIVATIVE
        self.rules = rules
        packaged = torch_dir / "torchgen" / "packaged"
        native = str(packaged / "ATen/native/native_functions.yaml")
        tags = str(packaged / "ATen/native/tags.yaml")
        self.functions = parse_native_yaml(native, tags).native_functions
        infos, _ = load_derivatives(str(packaged / "autograd/derivatives.yaml"), native, tags)
        self.derivatives = {
            str(f.func.func.name): f
            for f in autograd.match_differentiability_info(self.functions, infos)}

    @staticmethod
    def base(func):
        return func.name.name.base

    def lines(self):
        entries = []
        for function in self.functions:
            entries.append(self.operator(function.func, function))
        for extra in self.rules.extra:
            func = self.FunctionSchema.parse(extra["schema"])
            entries.append(self.operator(func, None, extra))
        entries.sort(key=lambda e: (e.name, e.overload))
        return entries

    def operator(self, func, function, extra=None):
        args = self.arguments(func)
        entry = Entry()
        entry.name = self.cpp.name(func) if extra is None else func.name.name.base
        entry.overload = func.name.overload_name
        entry.args = args
        entry.flags = self.flags(func, function, extra, args)
        entry.outputs = [self.output(func, function, extra, args, i)
                         for i in range(len(func.returns))]
        return entry

    def arguments(self, func):
        """(name, kind, flags) in the order of C++: out arguments come first."""
        result = []
        out = list(func.arguments.out)
        rest = [a for a in func.schema_order_arguments() if a not in out]
        for arg in out + rest:
            flags = []
            if str(arg.type).endswith("?"):
                flags.append("AF_Optional")
            if arg.default is not None:
                flags.append("AF_HasDefault")
            if arg.annotation is not None:
                if arg.annotation.is_write:
                    flags.append("AF_Mutable")
                flags.append("AF_Aliased")
            if arg in out:
                flags.append("AF_Out")
            result.append(Arg(arg.name, arg_kind(arg.type), flags, arg.annotation))
        return result

    def flags(self, func, function, extra, args):
        if extra is not None:
            return ["OF_Method"]
        flags = []
        if self.Variant.function in function.variants:
            flags.append("OF_Function")
        if self.Variant.method in function.variants:
            flags.append("OF_Method")
        if self.is_pointwise(func, function):
            flags.append("OF_Pointwise")
        if "inplace_view" in function.tags:
            flags.append("OF_ChangesMetadata")
        if (any(a.name == "self" and "AF_Mutable" in a.flags for a in args)
                and self.rules.find("changes_storage", func.name)):
            flags.append("OF_ChangesStorage")
        if "nondeterministic_seeded" in function.tags:
            flags.append("OF_Random")
        return flags

    def is_pointwise(self, func, function):
        return "pointwise" in function.tags or bool(self.rules.find("pointwise", func.name))

    # One result ------------------------------------------------------------------------------

    def output(self, func, function, extra, args, index):
        ret = func.returns[index]
        kind = arg_kind(ret.type)
        out = Output()
        if kind not in TENSOR_KINDS:
            return out
        out.is_list = kind == "TensorList"
        out.storage, out.storage_arg = self.storage(func, ret, args)
        if extra is not None and "storage" in extra:
            out.storage = extra["storage"]
        out.type_arg = self.base_argument(func, args, out)
        if out.storage == "InPlace":
            self.written(func, function, out)
        else:
            self.dtype(func, extra, args, index, out)
            self.device(func, extra, args, out)
            self.layout(func, function, extra, out, args)
            self.shape(func, function, extra, out, args)
        out.differentiable = self.differentiable(func, extra, args, index)
        return out

    def storage(self, func, ret, args):
        written = ret.annotation is not None and ret.annotation.is_write
        if not written:
            rule = self.rules.find("storage", func.name)
            if rule is not None:
                aliased = [i for i, a in enumerate(args) if "AF_Aliased" in a.flags]
                tensors = [i for i, a in enumerate(args) if a.kind in TENSOR_KINDS]
                return rule, (aliased or tensors)[0]
        if ret.annotation is None:
            return "New", -1
        for i, arg in enumerate(args):
            if arg.annotation is not None and (
                    set(arg.annotation.alias_set) & set(ret.annotation.alias_set)):
                return ("InPlace" if written else "View"), i
        raise SystemExit(f"{func}: a result aliases no argument")

    def base_argument(self, func, args, out):
        if out.storage_arg >= 0:
            return out.storage_arg
        named = self.rules.find("base", func.name)
        tensors = [i for i, a in enumerate(args)
                   if a.kind in TENSOR_KINDS and "AF_Out" not in a.flags]
        for i in tensors:
            if args[i].name == named:
                return i
        return tensors[0] if tensors else -1

    def written(self, func, function, out):
        """A result that is an argument, written: it keeps its type and device."""
        out.dtype, out.device, out.layout, out.shape = "Same", "Base", "KeepsLayout", "SameAsBase"
        tags = function.tags if function is not None else ()
        if func.kind() == self.SchemaKind.out:
            # An out tensor of another size is resized first.
            out.layout, out.shape = "Unknown", "Unknown"
        elif "inplace_view" in tags:
            out.layout, out.shape = "ViewChanges", "SameCount"
            if func.name.name.base in ("detach", "rename"):
                out.layout, out.shape = "KeepsLayout", "SameAsBase"
        if self.rules.find("changes_storage", func.name):
            out.dtype = "Same" if func.name.name.base.startswith("resize") else "Unknown"
            out.device = "Base" if func.name.name.base.startswith("resize") else "Unknown"
            out.layout = out.shape = "Unknown"
        if func.name.name.base == "as_strided":
            out.shape = "Unknown"

    def dtype(self, func, extra, args, index, out):
        if extra is not None and "dtype_arg" in extra:
            out.dtype_arg = self.position(args, extra["dtype_arg"])
        else:
            out.dtype_arg = self.position(args, "dtype", "ScalarType")
        rule = self.dtype_rule(func, index)
        if rule is not None:
            out.dtype = rule
        elif out.type_arg < 0 and func.arguments.tensor_options is not None:
            out.dtype = "Default"
        if func.name.name.base in ("to", "type_as"):
            other = self.position(args, "other")
            if other >= 0:
                out.dtype_arg = other
        if len(func.returns) > 1 and out.dtype in INTEGER_TYPES:
            out.dtype_arg = -1
        if out.dtype == "Same" and out.type_arg < 0:
            out.dtype = "Unknown"

    def dtype_rule(self, func, index):
        if len(func.returns) == 1:
            return self.rules.find("dtype", func.name)
        each = self.rules.find("dtype_of_each", func.name)
        return each[index] if each is not None and len(each) == len(func.returns) else None

    def device(self, func, extra, args, out):
        out.device_arg = self.position(args, "device", "Device")
        rule = self.rules.find("device", func.name)
        if extra is not None and "device" in extra:
            out.device = extra["device"]
        elif rule is not None:
            out.device = rule
        elif out.type_arg < 0:
            out.device = "Cpu" if func.arguments.tensor_options is not None else "Unknown"
        elif func.arguments.tensor_options is not None:
            out.device = "Base"
        else:
            out.device = "Same"
        if func.name.name.base in ("to", "type_as"):
            other = self.position(args, "other")
            if other >= 0:
                out.device_arg = other

    def layout(self, func, function, extra, out, args):
        rule = self.rules.find("layout", func.name)
        if extra is not None:
            out.layout = extra["layout"]
        elif out.storage == "View":
            out.layout = rule or "ViewChanges"
        elif rule is not None:
            out.layout = rule
        elif out.shape == "OneElement":
            out.layout = "Contiguous"
        elif self.is_pointwise(func, function):
            out.layout = "KeepsLayout"
        elif func.arguments.tensor_options is not None and out.type_arg < 0 \
                and "strided" not in func.name.name.base and "sparse" not in func.name.name.base:
            out.layout = "Contiguous"

    def shape(self, func, function, extra, out, args):
        rule = self.rules.find("shape", func.name)
        tensors = [a for a in args if a.kind in TENSOR_KINDS and "AF_Out" not in a.flags]
        if extra is not None:
            out.shape = extra["shape"]
        elif rule is not None:
            out.shape = rule
        elif self.is_pointwise(func, function):
            out.shape = "SameAsBase" if len(tensors) == 1 else "Broadcast"
        if out.shape == "OneElement" and self.rules.find("layout", func.name) is None:
            out.layout = "Contiguous"

    def differentiable(self, func, extra, args, index):
        if extra is not None:
            return extra.get("differentiable", True)
        tensors = [a for a in args if a.kind in TENSOR_KINDS and "AF_Out" not in a.flags]
        if not tensors:
            return False
        # An in-place form writes a float tensor even where the other form gives integers.
        in_place = func.kind() == self.SchemaKind.inplace
        if not in_place and (self.dtype_rule(func, index) in INTEGER_TYPES
                             or self.base(func) in self.no_derivative):
            return False
        if self.rules.find("not_differentiable", func.name):
            return False
        info = self.derivatives.get(str(func.name))
        if info is None or not info.info:
            return True
        default = info.info.get("Default")
        if default is None:
            return True
        if not in_place and not default.derivatives \
                and default.non_differentiable_arg_names:
            return False
        with self.local.parametrize(use_const_ref_for_mutable_tensors=False,
                                    use_ilistref_for_tensor_lists=False):
            names = [o.name for o in self.autograd.gen_differentiable_outputs(info)]
        return self.cpp.return_names(info.func)[index] in names

    @staticmethod
    def position(args, name, kind=None):
        for i, arg in enumerate(args):
            if arg.name == name and (kind is None or arg.kind == kind):
                return i
        return -1


class Arg:
    def __init__(self, name, kind, flags, annotation):
        self.name, self.kind, self.flags, self.annotation = name, kind, flags, annotation


class Output:
    """A line's OUT; as made, a result that is no tensor."""

    def __init__(self):
        self.storage, self.storage_arg = "NotATensor", -1
        self.dtype, self.dtype_arg = "Unknown", -1
        self.device, self.device_arg = "Unknown", -1
        self.layout, self.shape, self.type_arg = "Unknown", "Unknown", -1
        self.differentiable, self.is_list = False, False

    def __str__(self):
        fields = (self.storage, self.storage_arg, self.dtype, self.dtype_arg, self.device,
                  self.device_arg, self.layout, self.shape, self.type_arg,
                  str(self.differentiable).lower(), str(self.is_list).lower())
        return f"OUT({', '.join(map(str, fields))})"


class Entry:
    def __str__(self):
        args = " ".join(f"ARG({a.name}, {a.kind}, {' | '.join(a.flags) or 'AF_None'})"
                        for a in self.args)
        outputs = " ".join(map(str, self.outputs))
        flags = " | ".join(self.flags) or "OF_None"
        return f"OP({self.name}, {self.overload}, {flags}, ({args}), ({outputs}))"


HEADER = """\
//===--- Operators.inc - generated by tools/opmodel/opmodel.py, do not edit --------------------===//
//
// What the operators of PyTorch {version} do to tensors; OperatorModel.h says what the words mean.
// From native_functions.yaml, derivatives.yaml and tools/opmodel/rules.yaml: {count} overloads.
//
// NAME(Name)            every name of an operator, an overload or an argument, once
// OP(Name, Overload, Flags, (arguments), (results))
// ARG(Name, Kind, Flags)
// OUT(Storage, StorageArg, Dtype, DtypeArg, Device, DeviceArg, Layout, Shape, TypeArg,
//                Differentiable, IsList)
// TORCH_VERSION(Version)
//
//===-------------------------------------------------------------------------------------------===//
// clang-format off
"""


def render(entries, version):
    names = {""}
    for entry in entries:
        names.update([entry.name, entry.overload], (a.name for a in entry.args))
    parts = [HEADER.format(version=version, count=len(entries))]
    parts.append("#ifdef TORCH_VERSION\n"
                 f'TORCH_VERSION("{version}")\n#endif\n')
    parts.append("#ifdef NAME\n"
                 + "".join(f"NAME({name})\n" for name in sorted(names)) + "#endif\n")
    parts.append("#ifdef OP\n" + "".join(f"{entry}\n" for entry in entries)
                 + "#endif\n")
    parts.append("#undef TORCH_VERSION\n#undef NAME\n#undef OP\n")
    return "\n".join(parts)


def torch_version(torch_dir):
    text = (torch_dir / "torch" / "version.py").read_text()
    return re.search(r"__version__ = '([^'+]*)", text).group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--torch", required=True, type=pathlib.Path, metavar="DIR",
                        help="an unpacked PyPI wheel of torch")
    parser.add_argument("--output", type=pathlib.Path, default=DEFAULT_OUTPUT)
    parser.add_argument("--check", action="store_true",
                        help="compare with the file instead of writing it")
    options = parser.parse_args()

    rules = Rules(HERE / "rules.yaml")
    entries = Model(options.torch, rules).lines()
    unused = rules.unused()
    if unused:
        raise SystemExit("rules.yaml names operators that PyTorch does not have:\n  "
                         + "\n  ".join(unused))
    text = render(entries, torch_version(options.torch))
    if not options.check:
        options.output.write_text(text)
        print(f"{options.output.name}: {len(entries)} overloads")
        return 0
    old = options.output.read_text() if options.output.exists() else ""
    if old == text:
        return 0
    diff = [line for line in difflib.unified_diff(old.splitlines(), text.splitlines(),
                                                  "committed", "generated", n=0, lineterm="")]
    changed = sum(line[0] in "+-" and line[:3] not in ("+++", "---") for line in diff)
    print("\n".join(diff[:20]))
    print(f"{options.output.name} is not what the generator writes: {changed} lines differ")
    return 1


if __name__ == "__main__":
    sys.exit(main())
