"""What an editor gets from torch-clangd: reports, their notes, quick fixes, and the user's configuration."""
import pytest
import pytest_lsp
from conftest import ATEN, SERVER, TENSOR, Editor, capabilities, checks
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

pytestmark = pytest.mark.asyncio(loop_scope="module")

FIRST = """float first(const at::Tensor &values) {
  return values.data_ptr<float>()[0];
}
"""
# What torch-host-access and torch-discarded-result report.
TWO = FIRST + """
void move(at::Tensor values) {
  values.cpu();
}
"""


@pytest_lsp.fixture(config=ClientServerConfig(server_command=SERVER), scope="module")
async def client(lsp_client: LanguageClient, project):
    await lsp_client.initialize_session(types.InitializeParams(
        capabilities=capabilities(), root_uri=project.root.as_uri()))
    yield
    await lsp_client.shutdown_session()


@pytest.fixture(scope="module")
def editor(client):
    return Editor(client)


async def test_report_notes_and_fix_without_configuration(editor, project):
    path = project.source("plain.cpp", ATEN + FIRST)
    reports = await editor.open(path)
    assert checks(reports) == ["torch-host-access"]
    report = reports[0]
    assert (report.range.start.line, report.range.start.character) == (2, 16)
    assert report.severity == types.DiagnosticSeverity.Warning
    assert report.source == "clang-tidy"
    assert report.message.startswith("Host code reads the memory of 'values'")
    # clangd would link to clang-tidy's web site, which has no page of ours.
    assert report.code_description is None

    [note] = report.related_information
    assert note.message == "Nothing is known about the device of parameter 'values'"
    assert note.location.uri == path.as_uri()
    assert (note.location.range.start.line, note.location.range.start.character) == (1, 30)

    uri = path.as_uri()
    actions = [action for action in await editor.quick_fixes(uri, report) if action.kind == "quickfix"]
    assert actions, "no quick fix is offered"
    assert checks(await editor.apply(uri, actions[0])) == []
    assert ".detach().cpu()" in editor.text[uri]
    path.write_text(editor.text[uri])
    assert project.compiles(path)


async def test_report_comes_and_goes_while_typing(editor, project):
    path = project.source("typing.cpp", TENSOR + FIRST)
    uri = path.as_uri()
    assert checks(await editor.open(path)) == ["torch-host-access"]
    guarded = (TENSOR + FIRST).replace("  return", "  TORCH_CHECK(values.is_cpu());\n  return")
    assert checks(await editor.change(uri, guarded)) == []
    assert checks(await editor.change(uri, TENSOR + FIRST)) == ["torch-host-access"]
    # Half a line, as while typing: the rest of the file is still looked at, and nothing breaks.
    broken = (TENSOR + FIRST).replace("}\n", "  values.\n}\n")
    reports = await editor.change(uri, broken)
    assert any(report.severity == types.DiagnosticSeverity.Error for report in reports)
    assert checks(await editor.change(uri, (TENSOR + FIRST).replace("];", "]; // NOLINT(torch-host-access)"))) == []


async def test_several_files_at_once(editor, project):
    """clangd works on each in a thread of its own; no file's reports get into another's."""
    paths = [project.source(f"many{number}.cpp", TENSOR + "\n" * number + FIRST) for number in range(4)]
    reports = await editor.open_all(paths)
    assert [[(report.code, report.range.start.line) for report in reports[path.as_uri()]] for path in paths] == [
        [("torch-host-access", 2 + number)] for number in range(4)]


BOTH = ["torch-host-access", "torch-discarded-result"]


TIDY_FILES = {
    # Nothing about torch checks: they are on, whatever else is.
    "others": ("Checks: '-*,bugprone-use-after-move'\n", BOTH),
    "options": ("CheckOptions: {torch-host-access.MinEvidence: likely}\n", BOTH[1:]),
    # Some are turned off: the others stay.
    "silenced": ("Checks: '-torch-host-access'\n", BOTH[1:]),
    "off": ("Checks: '-torch-*'\n", []),
    # Some are turned on: these are the ones.
    "chosen": ("Checks: '-*,torch-discarded-result'\n", BOTH[1:]),
    "lines": ("Checks: |\n  -*,\n  torch-*,\n  -torch-discarded-result\n", BOTH[:1]),
}


@pytest.mark.parametrize("name", TIDY_FILES)
async def test_clang_tidy_file(editor, project, name):
    text, expected = TIDY_FILES[name]
    project.write(f"{name}/.clang-tidy", text)
    assert checks(await editor.open(project.source(f"{name}/a.cpp", TENSOR + TWO))) == expected


CLANGD_FILES = {
    "add": ("Add: [bugprone-use-after-move]", BOTH),
    "remove": ("Remove: [torch-discarded-result]", BOTH[:1]),
    "remove-all": ("Remove: ['torch-*']", []),
    "strict": ("FastCheckFilter: Strict", BOTH),
    "clangd-options": ("CheckOptions: {torch-host-access.MinEvidence: likely}", BOTH[1:]),
}


@pytest.mark.parametrize("name", CLANGD_FILES)
async def test_clangd_file(editor, project, name):
    text, expected = CLANGD_FILES[name]
    project.write(f"{name}/.clangd", f"Diagnostics: {{ClangTidy: {{{text}}}}}\n")
    assert checks(await editor.open(project.source(f"{name}/a.cpp", TENSOR + TWO))) == expected


async def test_suppressed(editor, project):
    project.write("suppressed/.clangd", "Diagnostics: {Suppress: [torch-host-access]}\n")
    assert checks(await editor.open(project.source("suppressed/a.cpp", TENSOR + TWO))) == BOTH[1:]
