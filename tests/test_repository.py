"""What holds for the files of the repository as such."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.app.cli.conftest import ROOT

LOCKS = ("serve", "arena", "tuning", "dev", "check", "ludopy")


def files() -> list[Path]:
    """The files under version control; those that would be, where this is no checkout."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def naming(pattern: str) -> set[str]:
    """Names of the files in which a pattern occurs."""
    found = re.compile(pattern)
    return {
        path.relative_to(ROOT).as_posix()
        for path in files()
        if path.suffix not in {".gz", ".png"} and found.search(path.read_text(errors="replace"))
    }


def test_the_repository_is_complete_by_itself():
    assert naming(r"\.\./" + "shared") == {".ci/run"}


def test_no_file_names_a_place_of_one_machine():
    assert naming("/(?:" + "|".join(("work", "home/[a-z]+", "root", "Users")) + r")/(?!\.cache)") == set()


def test_no_file_names_a_package_registry():
    hosts = ("pypi" + r"\.org", "python" + "hosted", "proxy" + r"\.golang", "registry" + r"\.npmjs")
    assert naming("|".join(hosts)) == set()


@pytest.mark.parametrize("name", LOCKS)
def test_locks_pin_by_hash_and_name_no_index(name: str):
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    assert not re.search("index|find-links|://", text)
    for entry in re.split(r"\n(?=\S)", text.strip()):
        assert re.match(r"[a-z0-9._\[\]-]+==[^ ]+( ;| \\)", entry), entry
        assert "--hash=sha256:" in entry


@pytest.mark.parametrize("name", ["arena", "tuning", "dev", "check"])
def test_what_is_tested_is_what_is_served(name: str):
    def pins(lock: str) -> set[str]:
        text = (ROOT / "requirements" / f"{lock}.txt").read_text()
        return set(re.findall(r"^(\S+==\S+)", text, re.MULTILINE))

    assert pins("serve") <= pins(name)


@pytest.mark.parametrize("name", ["docker-compose.yml", ".pre-commit-config.yaml"])
def test_yaml_files_are_yaml(name: str):
    assert yaml.safe_load((ROOT / name).read_text())


def test_the_composed_service_has_no_more_rights_than_it_needs():
    service = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["quadriga"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert any(mount.startswith("/tmp") for mount in service["tmpfs"])
    assert re.search(r"^USER \d+:\d+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)


def test_the_kernels_are_built_for_the_same_processor_as_they_run_on():
    stages = (ROOT / "Dockerfile").read_text().split("\nFROM ")[1:]
    settings = [set(re.findall(r"(NUMBA_\w+=\S+)", stage)) for stage in stages]
    assert settings[0] == settings[1] == {"NUMBA_CPU_NAME=generic", "NUMBA_CACHE_DIR=/opt/kernels"}
