"""Programs that run with the guarded device in place of an accelerator, under AddressSanitizer."""
import pathlib
import re
import shlex
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


class Failure(Exception):
    pass


def add_arguments(parser):
    parser.add_argument("--build", help="a build tree of the checks")
    parser.add_argument("--clang-tidy")
    parser.add_argument("--plugin")
    parser.add_argument("--pch")
    parser.add_argument("--torch-flags")
    parser.add_argument("--cxx", help="the clang++ of the executed build")
    parser.add_argument("--libtorch", default="/usr", help="prefix of the LibTorch to run with")
    parser.add_argument("--temp", help="folder for what is compiled; kept")


def execute(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", **more)
    if done.returncode != 0:
        raise Failure(f"{shlex.join(command)}\n{done.stderr[-4000:]}")
    return done.stdout


class Build:
    """Compilers, the plugin, and what is compiled once: the settings of a build tree (or the arguments that replace
    them), for the LibTorch 1.x of the machine."""

    def __init__(self, args):
        settings = {}
        if args.build:
            for script in sorted(pathlib.Path(args.build, "pch").glob("torch1.*.sh"))[:1]:
                for name, value in re.findall(r"^(\w+)=(.*)$", script.read_text(), re.M):
                    settings[name] = shlex.split(value.strip("()"))
        first = lambda name: (settings.get(name) or [None])[0]
        self.tidy = args.clang_tidy or first("TIDY")
        self.plugin = args.plugin or first("PLUGIN")
        self.pch = args.pch or first("TORCH_PCH")
        self.flags = shlex.split(args.torch_flags) if args.torch_flags else settings.get("TORCH_FLAGS")
        if not (self.tidy and self.plugin and self.flags):
            raise Failure("--build, or --clang-tidy, --plugin and --torch-flags are needed")
        self.cxx = args.cxx or first("CLANGXX") or "clang++-22"
        self.temp = pathlib.Path(args.temp)
        self.library = pathlib.Path(args.libtorch)
        self.compile = [self.cxx, *self.flags, "-O0", "-w", "-fsanitize=address", "-fsanitize-recover=address",
                        "-fno-omit-frame-pointer", f"-I{HERE}"]
        self.objects = []

    def prepare(self):
        """Compiles the device."""
        self.temp.mkdir(parents=True, exist_ok=True)
        self.objects += [self.compiled(s, [HERE / "memory.h", HERE / "guarded_device.h"])
                         for s in sorted(HERE.glob("*.cpp"))]

    def once(self, made, sources, command):
        made = self.temp / made
        newest = max(s.stat().st_mtime for s in sources)
        if not made.exists() or made.stat().st_mtime < newest:
            execute(command + ["-o", str(made)])
        return made

    def compiled(self, source, headers=(), flags=()):
        return self.once(f"{source.stem}.o", [source, *headers], self.compile + [*flags, "-c", str(source)])

    def header(self, header, flags=(), headers=()):
        """A precompiled header."""
        return self.once(f"{header.stem}.pch", [header, *headers], self.compile + [
            *flags, "-x", "c++-header", "-fpch-instantiate-templates", str(header)])

    def link(self, objects, program):
        lib = self.library / "lib"
        if not (lib / "libc10.so").exists():
            lib = next(iter(lib.glob("*/libc10.so")), lib / "libc10.so").parent
        execute([self.cxx, "-fsanitize=address", *map(str, objects), "-o", str(program), f"-L{lib}",
                 f"-Wl,-rpath,{lib}", "-ltorch_cpu", "-lc10", "-Wl,--no-as-needed", "-ltorch"])
