"""How the engines compile: one decorator, one cache that cannot go stale.

Numba's own cache looks at the file of the function alone: when a helper or a constant in another
module changes, callers keep their old machine code. So each room (`engines/core`, each game) has a
cache directory named by a digest of every source that its kernels can reach — its own and the
core's, no game knows another — of Numba and of the settings that change code. `NUMBA_CACHE_DIR`
chooses where these directories stand; else they stand in `.cache/numba` beside the packages.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
from numba.core import cgutils, config, typeinfer, types
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic, overload

from engines.core.kernel_store import KernelStore

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


_ENGINES = Path(__file__).resolve().parents[1]

# Settings that change the code made from one source and are not in Numba's own key.
_SETTINGS = (
    "OPT",
    "BOUNDSCHECK",
    "CPU_NAME",
    "CPU_FEATURES",
    "LOOP_VECTORIZE",
    "SLP_VECTORIZE",
    "DEBUGINFO_DEFAULT",
)


def source_digest(room: str) -> str:
    """Names the machine code that the present sources and settings make of a room's kernels."""
    digest = hashlib.sha256(room.encode())
    for part in sorted({"core", room}):
        for path in sorted((_ENGINES / part).rglob("*.py")):
            digest.update(path.relative_to(_ENGINES).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(f"{numba.__version__} {llvmlite.__version__}".encode())
    for name in _SETTINGS:
        digest.update(f" {name}={getattr(config, name, None)}".encode())
    return digest.hexdigest()[:16]


def _writable(path: Path) -> bool:
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return True
    except OSError:
        return False


def cache_root() -> Path:
    """Where the digest directories stand."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) if chosen else _ENGINES.parent / ".cache" / "numba"


_BASE = cache_root()
_directories: dict[str, Path | None] = {}


def cache_directories() -> dict[str, Path | None]:
    """Where the kernels loaded so far are cached, by room; None where that place cannot be written."""
    return dict(_directories)


def _compiling(function: F, **options: Any) -> Any:
    """A dispatcher that finds its machine code with its room's; with the JIT off the function itself."""
    # Without the wrapper for callers in C, of which there are none.
    dispatcher = numba.njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    first, *parts = function.__module__.split(".")
    # Digests are of the engines' sources: what stands elsewhere (a test) is compiled each time.
    if first == "engines":
        room = parts[0] if len(parts) > 1 else "core"
        if room not in _directories:
            directory = _BASE / source_digest(room)
            _directories[room] = directory if _writable(directory) else None
        place = _directories[room]
        if place is not None and dispatcher is not function:
            dispatcher._cache = KernelStore(function, place)
    return dispatcher


def kernel(*signatures: Any) -> Callable[[F], F]:
    """Compile an entry point for the given signatures, when its module is imported and never later.

    A signature is a text, or `int64(STATE, …)` where it takes tuples or records.

    Releases the GIL. Calls with other types are a TypeError, not a compilation.
    """

    def compile_now(function: F) -> F:
        dispatcher = _compiling(function)
        if dispatcher is not function:
            with typeinfer.register_dispatcher(dispatcher):
                for signature in signatures:
                    dispatcher.compile(signature)
            dispatcher.disable_compile()
        return cast(F, dispatcher)

    return compile_now


def tuple_type(cls: type[Any], *fields: Any) -> Any:
    """A NamedTuple of such fields as a kernel's signature names it: one argument, whatever it holds."""
    return types.BaseTuple.from_types(fields, cls)  # type: ignore[attr-defined]


def compiled(function: F) -> F:
    """Compile a helper that kernels call; it takes whatever types they hand it. LLVM may inline it or not."""
    return cast(F, _compiling(function))


class _Inlined(CPUDispatcher):  # type: ignore[misc,unused-ignore]
    """A helper without an entry for Python, which for a state of many arrays takes longer than the helper."""

    def __call__(self, *arguments: Any) -> Any:
        """As plain Python, for tests."""
        return self.py_func(*arguments)


def _without_entry(function: F, **options: Any) -> F:
    dispatcher = _compiling(function, no_cpython_wrapper=True, **options)
    if dispatcher is not function:
        dispatcher.__class__ = _Inlined
    return cast(F, dispatcher)


def inlined(function: F) -> F:
    """As `compiled`, and always inlined where it is called (with `borrowed`, for the hottest).

    Called from Python it runs as plain Python.
    """
    return _without_entry(function, forceinline=True)


def inlined_once(function: F) -> F:
    """As `inlined`, for a long helper of one caller: it is compiled with that alone, not by itself first."""
    return _without_entry(function, inline="always")


def borrowed(arrays: T) -> T:
    """The same tuple of arrays, without counting references to them.

    Numba counts a reference for each array at each call of a helper, even an inlined one: atomic
    operations that can outweigh the work of a short helper. The caller of the kernel holds the
    arrays anyway. The tuple must not be returned from the kernel.
    """
    return arrays


@intrinsic  # type: ignore[untyped-decorator,unused-ignore]
def _without_owner(_context: Any, arrays: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _disown(context, builder, signature.return_type, arguments[0])

    return arrays(arrays), generate


def _disown(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """Take the owner off each array of a tuple and of tuples in it: one left would be counted down twice."""
    for index, kind in enumerate(kinds):
        if isinstance(kind, types.Array):
            array = context.make_array(kind)(context, builder, builder.extract_value(values, index))
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            values = builder.insert_value(values, array._getvalue(), index)
        elif isinstance(kind, types.BaseTuple):  # type: ignore[attr-defined]
            inner = _disown(context, builder, kind, builder.extract_value(values, index))
            values = builder.insert_value(values, inner, index)
    return values


@overload(borrowed, jit_options={"forceinline": True})  # type: ignore[untyped-decorator,unused-ignore]
def _borrowed(arrays: Any) -> Any:
    def implementation(arrays: Any) -> Any:
        return _without_owner(arrays)

    return implementation if isinstance(arrays, types.BaseTuple) else None  # type: ignore[attr-defined]
