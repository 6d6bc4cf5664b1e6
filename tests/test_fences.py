"""Names inside other projects that ours rely on: which, where, and within what versions."""

import ast
import importlib
import inspect
import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("app", "arena", "bench", "engines", "training")

# By file, what it uses that its project does not document. To open another door: name it here, and bound
# the project's version in pyproject.toml.
NUMBA = {
    "engines/core/jit.py": (
        "numba.core.cgutils.get_null_value",
        "numba.core.config.OPT",
        "numba.core.dispatcher.Dispatcher.disable_compile",
        "numba.core.options.DefaultOptions.no_cfunc_wrapper",
        "numba.core.options.DefaultOptions.no_cpython_wrapper",
        "numba.core.registry.CPUDispatcher",
        "numba.core.typeinfer.register_dispatcher",
    ),
    "engines/core/kernel_store.py": (
        "numba.core.caching._Cache",
        "numba.core.codegen.JITCPUCodegen.magic_tuple",
        "numba.core.codegen.JITCodeLibrary._finalize_final_module",
        "numba.core.codegen.JITCodeLibrary._get_module_for_linking",
        "numba.core.codegen.JITCodeLibrary._set_compiled_object",
        "numba.core.codegen.JITCodeLibrary.enable_object_caching",
        "numba.core.codegen.JitEngine._load_defined_symbols",
        "numba.core.codegen.JITCPUCodegen.set_env",
        "numba.core.compiler.CompileResult._reduce",
        "numba.core.compiler.compile_result",
        "numba.core.environment.Environment",
        "numba.core.environment.lookup_environment",
        "numba.core.runtime._nrt_python.c_helpers",
        "numba.core.serialize.dumps",
    ),
    "app/cli/warm.py": ("numba.core.registry.CPUDispatcher.signatures",),
}
PRIVATE_IMPORTS = {
    ("engines/core/kernel_store.py", "numba.core.caching._Cache"),
    ("engines/core/kernel_store.py", "numba.core.runtime._nrt_python"),
}


def found(path: str):
    """Whatever stands behind a dotted path."""
    parts = path.split(".")
    for count in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:count]))
        except ImportError:
            continue
        for name in parts[count:]:
            value = getattr(value, name)
        return value
    raise ImportError(path)


@pytest.mark.parametrize(("file", "name"), [(file, name) for file, names in NUMBA.items() for name in names])
def test_what_is_used_inside_numba_is_there(file: str, name: str):
    import numba

    try:
        found(name)
    except (AttributeError, ImportError):
        pytest.fail(
            f"Numba {numba.__version__} has no {name} any more; {file} uses it. See"
            " docs/decisions/0005-kernels-from-our-own-files.md, find what took its place, or lower the"
            " upper bound of numba in pyproject.toml.",
            pytrace=False,
        )


def test_numba_takes_a_result_apart_into_the_parts_that_are_stored():
    from numba.core.compiler import CompileResult

    from engines.core import kernel_store

    theirs = list(inspect.signature(CompileResult._rebuild).parameters)
    ours = list(inspect.signature(kernel_store._rebuild).parameters)
    # Ours has the names that the code asks for on top.
    assert len(ours) == len(theirs) + 1, (
        f"CompileResult._reduce of Numba gives {theirs}; engines/core/kernel_store.py stores {ours}:"
        " match the two, position by position."
    )


def bound(project: str) -> tuple[str, str]:
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    (entry,) = [line for line in dependencies if re.match(rf"{project}\b[^-]", line)]
    pattern = re.fullmatch(rf"{project}>=([0-9.]+),<([0-9.]+)", entry)
    assert pattern, f"{project}'s inner names are used: its version needs an upper bound, not {entry!r}"
    return pattern[1], pattern[2]


@pytest.mark.parametrize("lock", ["serve", "arena", "tuning", "dev", "check"])
def test_the_locked_numba_is_within_its_bound(lock: str):
    low, high = (tuple(map(int, version.split("."))) for version in bound("numba"))
    pins = re.findall(r"^numba==([0-9.]+)", (ROOT / "requirements" / f"{lock}.txt").read_text(), re.MULTILINE)
    assert pins
    for pin in pins:
        assert low <= tuple(map(int, pin.split("."))) < high, "bound and lock disagree: `make lock`"


def test_no_other_private_name_is_imported():
    opened = set()
    for file in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                paths = [name.name for name in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                paths = [f"{node.module}.{name.name}" for name in node.names]
            else:
                continue
            for path in paths:
                first, *rest = path.split(".")
                foreign = first not in PACKAGES and first not in sys.stdlib_module_names
                if foreign and any(part.startswith("_") and not part.endswith("__") for part in rest):
                    opened.add((file.relative_to(ROOT).as_posix(), path))
    assert opened == PRIVATE_IMPORTS, "a private name of another project: use its public one, or fence it"


def test_an_inlined_helper_runs_as_python_where_python_calls_it():
    from engines.core.jit import inlined, kernel

    @inlined
    def double(value: int) -> int:
        return 2 * value

    @kernel("int64(int64)")
    def quadruple(value: int) -> int:
        return double(double(value))

    assert quadruple(3) == 12
    # Its machine code has no entry for Python: Numba itself would call address 0.
    assert double(3) == 6
