"""A project in a temporary folder, and torch-clangd as a server for all tests of a file.

The environment says what to test: TORCH_CLANGD, TORCH_CLANG_TIDY, CLANGXX and TORCH_FLAGS (flags that find LibTorch).
"""
import json
import os
import pathlib
import subprocess
import tempfile

import pytest
from lsprotocol import types

CLANGD = os.environ["TORCH_CLANGD"]
CLANG_TIDY = os.environ["TORCH_CLANG_TIDY"]
CLANGXX = os.environ["CLANGXX"]
FLAGS = os.environ["TORCH_FLAGS"].split()
# The whole of ATen for what users do; the tensor alone, which takes a third of the time, for what configuration does.
ATEN, TENSOR = "#include <ATen/ATen.h>\n", "#include <ATen/core/Tensor.h>\n"


# The configuration and caches of whoever runs the tests stay out of them.
_home = tempfile.TemporaryDirectory()
os.environ.update(XDG_CONFIG_HOME=_home.name, XDG_CACHE_HOME=_home.name, XDG_DATA_HOME=_home.name)
os.environ.pop("CLANGD_FLAGS", None)
# LibTorch's sources need not be indexed in the background.
SERVER = [CLANGD, "--background-index=false", "--log=error"]


class Project:
    """Sources with a compile_commands.json."""

    def __init__(self, root):
        self.root = root

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def source(self, name, text):
        """Adds a source to the project."""
        path = self.write(name, text)
        database = self.root / "compile_commands.json"
        entries = json.loads(database.read_text()) if database.exists() else []
        entries.append({"directory": str(self.root), "file": str(path),
                        "arguments": [CLANGXX, *FLAGS, "-c", str(path)]})
        database.write_text(json.dumps(entries, indent=1))
        return path

    @staticmethod
    def compiles(path):
        run = subprocess.run([CLANGXX, *FLAGS, "-Wall", "-Wextra", "-fsyntax-only", str(path)],
                             capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        return True


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return Project(pathlib.Path(os.path.realpath(tmp_path_factory.mktemp("project"))))


def capabilities():
    """What an editor with all of LSP's forms of diagnostics says of itself."""
    return types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                related_information=True, version_support=True, code_description_support=True),
            code_action=types.CodeActionClientCapabilities(
                code_action_literal_support=types.ClientCodeActionLiteralOptions(
                    code_action_kind=types.ClientCodeActionKindOptions(value_set=["quickfix"])))))


class Editor:
    """An editor's side of the protocol: open documents, their text and version."""

    def __init__(self, client):
        self.client = client
        self.text = {}
        self.version = {}

    async def open(self, path):
        return (await self.open_all([path]))[path.as_uri()]

    async def open_all(self, paths):
        for path in paths:
            uri = path.as_uri()
            self.text[uri], self.version[uri] = path.read_text(), 0
            self.client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(
                uri=uri, language_id="cpp", version=0, text=self.text[uri])))
        return await self.reports({path.as_uri() for path in paths})

    async def change(self, uri, text):
        self.text[uri] = text
        self.version[uri] += 1
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(uri=uri, version=self.version[uri]),
            [types.TextDocumentContentChangeWholeDocument(text)]))
        return (await self.reports({uri}))[uri]

    async def reports(self, uris):
        """The diagnostics of the documents' present versions, as soon as the server has sent all."""
        reports = {}
        while uris - reports.keys():
            params = await self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
            if params.uri in uris and params.version == self.version[params.uri]:
                reports[params.uri] = list(params.diagnostics)
        return reports

    async def quick_fixes(self, uri, report):
        """The code actions that the server offers at a report."""
        return await self.client.text_document_code_action_async(types.CodeActionParams(
            types.TextDocumentIdentifier(uri), report.range,
            types.CodeActionContext([report], only=[types.CodeActionKind.QuickFix])))

    async def apply(self, uri, action):
        """Applies a code action's edits and tells the server."""
        edits = action.edit.changes[uri]
        lines = self.text[uri].splitlines(keepends=True)

        def offset(position):
            return sum(map(len, lines[:position.line])) + position.character

        text = self.text[uri]
        for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
            text = text[:offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end):]
        return await self.change(uri, text)


def checks(reports):
    """The names of the torch checks that report, in order of their lines."""
    ordered = sorted(reports, key=lambda report: (report.range.start.line, report.range.start.character))
    return [report.code for report in ordered if str(report.code).startswith("torch-")]
