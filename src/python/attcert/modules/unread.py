"""What is on a module that its part does not know."""

import sys
from collections.abc import Iterator
from typing import Any

from .part import Part

# What every torch.nn.Module has; hooks are looked at on their own.
_OWN = frozenset((
    "training", "_parameters", "_buffers", "_modules", "_non_persistent_buffers_set", "_backward_hooks",
    "_backward_pre_hooks", "_is_full_backward_hook", "_forward_hooks", "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_state_dict_hooks",
    "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks", "_compiled_call_impl",
    "_is_hf_initialized"))
_HARMLESS = frozenset(("__module__", "__doc__", "__init__", "__qualname__", "__annotations__", "__dict__",
                       "__weakref__", "__firstlineno__", "__static_attributes__", "extra_repr"))


def class_name(kind: Any) -> str:
    """Module path and name of a class."""
    return f"{kind.__module__}.{kind.__qualname__}"


def unread(module: Any, part: Part, path: str = "") -> Iterator[str]:
    """Yields what is on a module, or on the modules in it, that may change its function and was not read."""
    here = f"{path}: " if path else ""
    complaint = _of_class(type(module), part)
    if complaint is not None:
        yield here + complaint
        return
    for hooks in ("_forward_hooks", "_forward_pre_hooks"):
        if getattr(module, hooks, None):
            yield f"{here}a forward hook, expected none"
    for complaint in _of_names(module, part):
        yield here + complaint
    children = getattr(module, "_modules", {})
    for name in part.children:
        if children.get(name) is None:
            yield f"{here}no {name}"
    known = {**part.children, **part.optional}
    for name, child in children.items():
        if name in known and child is not None:
            yield from unread(child, known[name], f"{path}.{name}" if path else name)
        elif child is not None:
            yield f"{here}the module {name} ({type(child).__name__}) is unread"


def global_hook() -> Any:
    """What is wrong where a hook runs before or after every module, or None."""
    place = sys.modules.get("torch.nn.modules.module")
    if any(getattr(place, name, None) for name in ("_global_forward_hooks", "_global_forward_pre_hooks")):
        return "a forward hook of all modules, expected none"
    return None


def _of_class(kind: Any, part: Any) -> Any:
    overridden: list[str] = []
    for base in kind.__mro__:
        if class_name(base) in part.classes:
            first = "forward" if "forward" in overridden else "".join(overridden[:1])
            return f"{kind.__name__} overrides {first} of {class_name(base)}" if overridden else None
        overridden += [name for name in vars(base) if name not in _HARMLESS]
    return f"{class_name(kind)}, expected {part.classes[0]}"


def _of_names(module: Any, part: Any) -> Iterator[str]:
    for name, value in vars(module).items():
        if name in part.attributes:
            yield from _by_rule(part.attributes[name], name, value, module)
        elif name == "forward":
            yield "forward is replaced on this object"
        elif name not in _OWN:
            yield f"the attribute {name} is unread"
    for name, value in getattr(module, "_buffers", {}).items():
        if name in part.buffers:
            if value is not None:
                yield from _by_rule(part.buffers[name], name, value, module)
        elif value is not None:
            yield f"the buffer {name} is unread"
    for name, value in getattr(module, "_parameters", {}).items():
        if value is not None and name not in part.parameters:
            yield f"the parameter {name} is unread"
        elif value is not None and class_name(type(value)) != "torch.nn.parameter.Parameter":
            yield f"the parameter {name} is a {class_name(type(value))}, expected torch.nn.Parameter"


def _by_rule(rule: Any, name: str, value: Any, module: Any) -> Iterator[str]:
    try:
        complaint = rule(value, module)
    except Exception as reason:  # an attribute of another type than any version of the class gives it
        complaint = f"{value!r} ({reason})"
    if complaint is not None:
        yield f"{name}: {complaint}"
