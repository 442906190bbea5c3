"""The programs on the command line: what docs/editor.md shows, and where `cmake --install` puts them."""
import json
import os
import pathlib
import re
import subprocess

import pytest
from conftest import CLANG_TIDY, CLANGD, TENSOR

DOCUMENT = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "editor.md").read_text()
SOURCE = TENSOR + """float first(const at::Tensor &values) {
  return values.data_ptr<float>()[0];
}
"""


def run(command, cwd, path=os.path.dirname(CLANGD)):
    env = {**os.environ, "PATH": f"{path}{os.pathsep}{os.environ['PATH']}"}
    result = subprocess.run(command, shell=isinstance(command, str), cwd=cwd, env=env, capture_output=True, text=True,
                            check=False)
    assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
    return result.stdout, result.stderr


@pytest.fixture(scope="module")
def folder(project):
    """A project as the document has it: file.cpp, and its command in build/."""
    project.source("file.cpp", SOURCE)
    (project.root / "build").mkdir()
    (project.root / "compile_commands.json").rename(project.root / "build" / "compile_commands.json")
    return project.root


COMMANDS = sorted({*re.findall(r"^    (torch-clang.*)$", DOCUMENT, re.MULTILINE),
                   *re.findall(r"`(torch-clang\S* --[^`]*)`", DOCUMENT)})


@pytest.mark.parametrize("command", COMMANDS)
def test_documented_command(command, folder):
    output, errors = run(command, folder)
    if "--version" in command:
        assert "clangd version" in output and "torch-tidy version" in output
    elif command.startswith("torch-clangd"):
        assert "All checks completed, 0 errors" in errors
    elif "--dump-config" not in command:
        assert "file.cpp:3:17: warning: host code reads the memory of 'values'" in output


@pytest.mark.parametrize("program", ["torch-clangd", "torch-clang-tidy"])
def test_every_program_is_documented(program):
    assert any(command.startswith(program + " ") for command in COMMANDS)


@pytest.mark.parametrize("text", re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL))
def test_settings_are_json(text):
    json.loads(text)


def test_installed(tmp_path):
    """Where it is installed, it finds clang's own headers."""
    prefix = tmp_path / "prefix"
    run([os.environ["CMAKE"], "--install", os.environ["TORCH_TIDY_BUILD"], "--component", "tools", "--prefix", str(prefix)],
        tmp_path)
    (tmp_path / "plain.cpp").write_text("#include <stddef.h>\nsize_t zero() { return 0; }\n")
    assert os.path.basename(CLANG_TIDY) in os.listdir(prefix / "bin")
    _, errors = run("torch-clangd --check=plain.cpp", tmp_path, prefix / "bin")
    assert "All checks completed, 0 errors" in errors
    run("torch-clang-tidy --checks='-*,torch-*' plain.cpp --", tmp_path, prefix / "bin")
