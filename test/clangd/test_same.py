"""torch-clangd and torch-clang-tidy report the same, although clangd shows the checks one declaration at a time.

The source is all sources of test/checks/ that can be one file, so every check reports and every kind of code is there.
"""
import pathlib
import re
import subprocess

import pytest
import pytest_lsp
from conftest import CLANG_TIDY, FLAGS, SERVER, Editor, capabilities
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

CHECKS = pathlib.Path(__file__).resolve().parents[1] / "checks"
# It declares functions of CUDA with other types than its neighbour.
CONFLICTS = ["torch-async-copy/waited.cpp"]


def combined():
    """The sources, each in a namespace, behind the includes of all. A few are left out: those that need LibTorch 2, that
    are a whole program, or that open a namespace of LibTorch."""
    includes, body = ["#include <torch/torch.h>"], []
    for number, path in enumerate(sorted(CHECKS.glob("torch-*/*.cpp"))):
        text = path.read_text()
        if (str(path.relative_to(CHECKS)) in CONFLICTS or "REQUIRES: torch2" in text or "main(" in text or
                re.search(r"^namespace (at|torch|std|c10)\b", text, re.MULTILINE)):
            continue
        body.append(f"namespace file_{number} {{ // {path.relative_to(CHECKS)}")
        for line in text.splitlines():
            is_include = line.startswith("#include <")
            if is_include and line not in includes:
                includes.append(line)
            body.append("" if is_include else line)
        body.append("}")
    return "\n".join(includes + body) + "\n"


@pytest_lsp.fixture(config=ClientServerConfig(server_command=SERVER), scope="module")
async def client(lsp_client: LanguageClient, project):
    await lsp_client.initialize_session(types.InitializeParams(
        capabilities=capabilities(), root_uri=project.root.as_uri()))
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio(loop_scope="module")
async def test_reports_are_the_same(client, project):
    path = project.source("combined.cpp", combined())
    in_editor = sorted(
        (report.range.start.line + 1, report.range.start.character + 1, report.code)
        for report in await Editor(client).open(path) if str(report.code).startswith("torch-"))

    run = subprocess.run([CLANG_TIDY, "--quiet", "--checks=-*,torch-*", str(path), "--", *FLAGS, "-w"],
                         capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    on_command_line = sorted(
        (int(line), int(column), check) for line, column, check in
        re.findall(rf"^{re.escape(str(path))}:(\d+):(\d+): warning: .* \[(torch-[a-z-]+)\]$", run.stdout, re.MULTILINE))

    names = set(re.findall(r'"(torch-[a-z-]+)"', (CHECKS.parents[1] / "checks" / "Checks.def").read_text()))
    assert {check for _, _, check in on_command_line} == names, "some check reports nothing"
    assert in_editor == on_command_line
