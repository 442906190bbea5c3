"""A real editor: Neovim with the lines of docs/editor.md in its init.lua opens a file, applies the fix and saves."""
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest
from conftest import ATEN, CLANGD

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = ATEN + """float first(const at::Tensor &values) {
  return values.data_ptr<float>()[0];
}
"""


def documented_settings():
    text = (HERE.parents[1] / "docs" / "editor.md").read_text()
    return re.search(r"<!-- test: neovim -->\n```lua\n(.*?)```", text, re.DOTALL).group(1)


def test_report_is_shown_and_fixed(project, tmp_path):
    nvim = shutil.which("nvim")
    if not nvim:
        pytest.skip("there is no nvim")
    path = project.source("edited.cpp", SOURCE)
    init, result = tmp_path / "init.lua", tmp_path / "result.json"
    init.write_text(documented_settings())
    env = {**os.environ, "PATH": f"{os.path.dirname(CLANGD)}{os.pathsep}{os.environ['PATH']}",
           "TORCH_TIDY_RESULT": str(result), "XDG_STATE_HOME": str(tmp_path)}
    run = subprocess.run([nvim, "--headless", "-u", str(init), "-i", "NONE", "-n", str(path),
                          "-c", f"luafile {HERE / 'drive.lua'}"],
                         cwd=project.root, env=env, capture_output=True, text=True, check=False)
    assert result.exists(), run.stderr
    seen = json.loads(result.read_text())
    assert run.returncode == 0 and "error" not in seen, f"{seen}\n{run.stderr}"
    assert (seen["check"], seen["line"], seen["column"]) == ("torch-host-access", 2, 16)
    assert seen["actions"]
    fixed = path.read_text()
    assert fixed != SOURCE and ".detach().cpu()" in fixed
    assert project.compiles(path)
