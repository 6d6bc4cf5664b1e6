"""Machine code kept in files, and what it takes to run it again and no more.

Numba's own cache prepares at the first load for whatever may be compiled next: every typing rule and
implementation it knows, and for each kernel the parsed code and the names of all that is inside. A
process that compiles nothing needs the object code, its entry point and the constants it refers
to. The rest is caught up on when something is compiled against a kernel that came from a file.
"""

from __future__ import annotations

import functools
import hashlib
import pickle
import sys
import uuid
from pathlib import Path
from typing import Any

import llvmlite.binding as ll
from numba.core import serialize
from numba.core.caching import _Cache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import compile_result
from numba.core.environment import Environment, lookup_environment
from numba.core.runtime import _nrt_python


class KernelStore(_Cache):  # type: ignore[misc,unused-ignore]
    """One function's machine code in `place`, a directory of the present sources, by signature."""

    def __init__(self, function: Any, place: Path) -> None:
        self._place = place
        self._name = f"{function.__module__}.{function.__qualname__}-{function.__code__.co_firstlineno}"
        self._cells = function.__closure__
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """Where the files stand."""
        return str(self._place)

    def enable(self) -> None:
        """Load and save from now on."""
        self._enabled = True

    def disable(self) -> None:
        """Neither load nor save."""
        self._enabled = False

    def flush(self) -> None:
        """Forget what is stored of this function."""
        for path in self._place.glob(f"{self._name}-*.kernel"):
            path.unlink(missing_ok=True)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for a signature, None where there is none."""
        if not self._enabled:
            return None
        try:
            parts = pickle.loads(self._path(sig, target_context).read_bytes())
        except (OSError, EOFError, pickle.UnpicklingError):
            return None  # never stored, or cut short by a full disk: compiled again and stored anew
        return _rebuild(target_context, *parts)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function, if its code can run in another process."""
        if not self._enabled or data.lifted or data.library.has_dynamic_globals:
            return
        module = data.library._final_module
        outside = [
            item.name
            for items in (module.functions, module.global_variables)
            for item in items
            if item.is_declaration and not item.name.startswith("llvm.")
        ]
        named = [item.name for item in module.global_variables if item.name.startswith("_ZN08NumbaEnv")]
        environments = ((name, lookup_environment(name)) for name in named)
        placed = tuple(
            (name, item if item is not None and item.consts else None) for name, item in environments
        )
        path = self._path(sig, data.target_context)
        # Not by `tempfile`: its files are for their owner's eyes alone.
        fresh = path.with_name(f"{path.name}-{uuid.uuid4().hex}")
        try:
            *most, _ = data._reduce()
            fresh.write_bytes(serialize.dumps((tuple(outside), *most, placed)))
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)

    def _path(self, sig: Any, context: Any) -> Path:
        key = hashlib.sha256(f"{sig}\0{_machine(context.codegen())}\0".encode())
        if self._cells:
            key.update(serialize.dumps(tuple(cell.cell_contents for cell in self._cells)))
        return self._place / f"{self._name}-{key.hexdigest()[:16]}.kernel"


@functools.cache
def _machine(codegen: Any) -> str:
    """What else the bytes depend on: the Python that pickled them, the processor they are for."""
    return f"{sys.implementation.cache_tag} {codegen.magic_tuple()}"


class _Library(JITCodeLibrary):  # type: ignore[misc,unused-ignore]
    """Object code ready to run; its intermediate form is read when another function links to it."""

    _shared_module: Any

    def __init__(self, codegen: Any, name: str, code: bytes, linkable: bytes, entry: str) -> None:
        super().__init__(codegen, name)
        self.enable_object_caching()
        self._set_compiled_object(code)
        self._linkable = linkable
        self._finalize_final_module()
        codegen._engine._defined_symbols.add(entry)

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = ll.parse_bitcode(self._linkable)
            self._codegen._engine._load_defined_symbols(self._shared_module)
        return self._shared_module


# Names that the machine code asks for and that were found: they stay.
_known: set[str] = set()
# Environments whose place in memory is written: one of each name for all code that refers to it.
_placed: set[str] = set()
# Stands for those without constants: without object mode nothing else of them is read, and the module
# that they name need not be imported.
_BLANK = Environment({})


def _provide_runtime() -> None:
    """Name the functions of Numba's memory manager, as its `initialize` does before it compiles others."""
    for name, address in _nrt_python.c_helpers.items():
        ll.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


def _found(names: tuple[str, ...]) -> bool:
    for name in names:
        if name not in _known:
            if not ll.address_of_symbol(name):
                return False
            _known.add(name)
    return True


def _rebuild(
    context: Any,
    outside: tuple[str, ...],
    library_data: tuple[str, str, tuple[bytes, bytes]],
    description: Any,
    environment: Any,
    signature: Any,
    object_mode: bool,
    lifted: Any,
    annotation: str,
    reload_init: Any,
    environments: tuple[tuple[str, Any], ...],
) -> Any:
    """The compiled function as the dispatcher wants it, from what `save_overload` kept."""
    # A name that nobody provides would end the process; Numba's parts provide them as they load.
    if not _found(outside):
        _provide_runtime()
        if not _found(outside):
            context.refresh()
    for prepare in reload_init:
        prepare()
    name, _, (code, linkable) = library_data
    codegen = context.codegen()
    library = _Library(codegen, name, code, linkable, description.llvm_cpython_wrapper_name)
    entry = context.get_executable(library, description, environment)
    for place, item in environments:
        if place not in _placed:
            codegen.set_env(place, item or _BLANK)
            _placed.add(place)
    return compile_result(
        target_context=context,
        typing_context=context.typing_context,
        library=library,
        environment=environment,
        entry_point=entry,
        fndesc=description,
        type_annotation=annotation,
        signature=signature,
        objectmode=object_mode,
        lifted=lifted,
        reload_init=reload_init,
        referenced_envs=[item or _BLANK for _, item in environments],
    )
