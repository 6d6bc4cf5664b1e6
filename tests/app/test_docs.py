"""Every example that the README and the docs show is run as it is printed."""

import ast
import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])


def blocks(language):
    """Every fenced block of a language, with its page's name."""
    fenced = re.compile(rf"^```{language}\n(.*?)^```", re.MULTILINE | re.DOTALL)
    return [
        pytest.param(block, id=f"{page.name}-{number}")
        for page in PAGES
        for number, block in enumerate(fenced.findall(page.read_text()))
    ]


def curls(block):
    """The curl calls of a shell block, as words."""
    for line in block.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words and words[0] == "curl":
            yield words[1:]


def call(client, words):
    """What curl would do with these words."""
    headers, body, url = {}, None, None
    rest = iter(words)
    for word in rest:
        if word == "--json":
            body = next(rest)
            headers.update({"Content-Type": "application/json", "Accept": "application/json"})
        elif word == "-H":
            name, _, value = next(rest).partition(":")
            headers[name.strip()] = value.strip()
        elif word in ("-s", "-i", "--silent", "--include"):
            pass
        else:
            assert not word.startswith("-"), f"an option of curl that this test does not know: {word}"
            url = word
    path = re.sub(r"^(http://)?(127\.0\.0\.1|localhost):8000", "", url)
    assert path.startswith("/"), url
    if body is None:
        return client.get(path, headers=headers)
    assert not body.startswith("@"), "an example must be complete"
    return client.post(path, content=body.encode(), headers=headers)


@pytest.mark.parametrize("block", blocks("sh"))
def test_curls_work_as_printed(client, block):
    for words in curls(block):
        response = call(client, words)
        assert response.status_code == 200, (words, response.text)


@pytest.mark.parametrize("block", blocks("python"))
def test_python_examples_run(block):
    exec(compile(block, "example", "exec"), {"__name__": "example"})


def test_the_readme_shows_three_curls_one_of_them_a_breakdown_in_the_terminal():
    readme = [block.values[0] for block in blocks("sh") if block.id.startswith("README")]
    found = [words for block in readme for words in curls(block)]
    assert len(found) >= 3
    assert any("text/plain" in " ".join(words) for words in found)


def test_links_of_the_docs_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_setting_is_documented():
    from app.settings import Settings

    text = (ROOT / "docs" / "api.md").read_text()
    for name in Settings.model_fields:
        assert name.upper().split("_", 1)[-1] in text, name


def defined(file):
    """Functions and classes of a file, methods as `Class.method`."""
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from (f"{node.name}.{part.name}" for part in node.body if hasattr(part, "name"))


def test_the_walk_through_the_tree_names_what_is_there():
    page = (ROOT / "docs" / "architecture.md").read_text()
    walk = page.split("## One `POST /move`")[1].split("\n## ")[0]
    assert [int(number) for number in re.findall(r"^(\d+)\. ", walk, re.MULTILINE)] == list(range(1, 11))
    steps = re.findall(r"`([\w/]+\.py)`: `([\w.]+)`", walk)
    assert len(steps) >= 10
    for file, name in steps:
        assert (ROOT / file).is_file(), f"docs/architecture.md walks through {file}, which is not there"
        assert name in defined(ROOT / file), f"docs/architecture.md walks through {name} of {file}: not there"
    for file in re.findall(r"`([\w/]+\.py)`", walk):
        assert (ROOT / file).is_file(), file
