#!/usr/bin/env python3
"""Measures the time from an edit to clangd's diagnostics with and without the torch-* checks; run.sh says how.

    measure.py --clangd TORCH-CLANGD --compiler CLANG++ --edits N FILE ... -- FLAG ...

For each file: the seconds until its first diagnostics (the headers are read), then the medians of both ways for an edit
and the median of the pairwise ratios. "typing" is what an editor sees: clangd waits a moment for further edits. "work" is
the same without that wait, and "CPU" the processor time of the server. The last line is of all pairs.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

WAYS = ("without", "with")


class Server:
    """A running clangd and the files that are open in it."""

    def __init__(self, clangd, root):
        env = {name: value for name, value in os.environ.items() if name != "CLANGD_FLAGS"}
        self.process = subprocess.Popen(
            [clangd, "--background-index=false", "--log=error"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**env, "XDG_CONFIG_HOME": str(root), "XDG_CACHE_HOME": str(root)})
        self.versions = {}
        self.send("initialize", {"processId": os.getpid(), "rootUri": root.as_uri(), "capabilities": {}}, identifier=1)
        while self.receive().get("id") != 1:
            pass
        self.send("initialized", {})

    def send(self, method, params, identifier=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if identifier is not None:
            message["id"] = identifier
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                sys.exit("clangd ended")
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def diagnostics(self, uri):
        """Waits for the diagnostics of the file's present version."""
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                if params["uri"] == uri and params.get("version") == self.versions[uri]:
                    return params["diagnostics"]

    def open(self, path, text):
        self.versions[path.as_uri()] = 0
        self.send("textDocument/didOpen", {"textDocument": {
            "uri": path.as_uri(), "languageId": "cpp", "version": 0, "text": text}})
        return self.diagnostics(path.as_uri())

    def change(self, path, text, at_once):
        uri = path.as_uri()
        self.versions[uri] += 1
        params = {"textDocument": {"uri": uri, "version": self.versions[uri]}, "contentChanges": [{"text": text}]}
        if at_once:
            params["wantDiagnostics"] = True  # an extension of clangd
        self.send("textDocument/didChange", params)
        return self.diagnostics(uri)

    def cpu(self):
        """The processor time that the server has used, all threads together."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.send("shutdown", None, identifier=2)
        while self.receive().get("id") != 2:
            pass
        self.send("exit", None)
        self.process.wait()


def torch_reports(diagnostics):
    return sum(str(diagnostic.get("code", "")).startswith("torch-") for diagnostic in diagnostics)


def settle(server):
    """Waits until the server has nothing to do, so that what one edit left behind is not counted for the next."""
    before = server.cpu()
    while True:
        time.sleep(0.15)
        now = server.cpu()
        if now == before:
            return
        before = now


def measure(args, flags, root, file):
    """Rows of seconds for one file: {(what, way): [seconds]}."""
    text = pathlib.Path(file).read_text()
    paths = {way: root / way / os.path.basename(file) for way in WAYS}
    entries = []
    for path in paths.values():
        path.write_text(text)
        entries.append({"directory": str(root), "file": str(path), "arguments": [
            args.compiler, *flags, "-I", os.path.dirname(os.path.abspath(file)), "-c", str(path)]})
    (root / "compile_commands.json").write_text(json.dumps(entries))

    server = Server(args.clangd, root)
    rows = {(what, way): [] for what in ("first", "typing", "work", "CPU") for way in WAYS}
    reports = {}
    for way in WAYS:
        start = time.monotonic()
        reports[way] = torch_reports(server.open(paths[way], text))
        rows["first", way].append(time.monotonic() - start)
        settle(server)
    if reports["without"]:
        sys.exit(f"{file}: .clang-tidy does not turn the checks off")
    for edit in range(args.edits + 1):
        for what in ("typing", "work"):
            for way in WAYS if edit % 2 == 0 else reversed(WAYS):
                cpu, start = server.cpu(), time.monotonic()
                server.change(paths[way], f"{text}\nint edit_{what}_{edit};\n", at_once=what == "work")
                seconds = time.monotonic() - start
                settle(server)
                if edit == 0:
                    continue  # this one only fills caches
                rows[what, way].append(seconds)
                if what == "work":
                    rows["CPU", way].append(server.cpu() - cpu)
    server.stop()
    return rows, reports["with"]


def pair_ratios(rows, what):
    return [ours / base for ours, base in zip(rows[what, "with"], rows[what, "without"]) if base > 0]


def main():
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clangd", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--edits", type=int, required=True)
    parser.add_argument("files", nargs="+")
    args = parser.parse_args(sys.argv[1:split])
    kinds = ("typing", "work", "CPU")
    print(f"{'':20}{'torch':>8}{'first s':>16}" + "".join(f"{kind + ' s':>26}" for kind in kinds))
    print(f"{'file':20}{'reports':>8}{'without':>9}{'with':>7}" + f"{'without':>11}{'with':>8}{'ratio':>7}" * 3)
    every = {kind: [] for kind in kinds}
    for file in args.files:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(os.path.realpath(folder))
            for way in WAYS:
                (root / way).mkdir()
            (root / "without" / ".clang-tidy").write_text("Checks: '-torch-*'\n")
            rows, reports = measure(args, sys.argv[split + 1:], root, file)
        line = f"{os.path.basename(file):20}{reports:8}{rows['first', 'without'][0]:9.1f}{rows['first', 'with'][0]:7.1f}"
        for kind in kinds:
            ratios = pair_ratios(rows, kind)
            every[kind] += ratios
            line += (f"{statistics.median(rows[kind, 'without']):11.3f}{statistics.median(rows[kind, 'with']):8.3f}"
                     f"{statistics.median(ratios):7.3f}")
        print(line, flush=True)
    total = f"all ({len(every['typing'])} pairs)"
    print(f"{total:44}" + "".join(f"{statistics.median(every[kind]):26.3f}" for kind in kinds))


if __name__ == "__main__":
    main()
