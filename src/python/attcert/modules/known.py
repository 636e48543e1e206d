"""The classes whose function is known."""

from typing import Any

from . import bert, decoders, distilbert, fused, gpt2, latent, modernbert, multihead, nomic_bert, projections, t5, vit
from .family import Family, Parameters
from .refused import reason_of
from .unread import class_name

_FAMILIES = {name: family for source in (multihead, bert, vit, distilbert, gpt2, projections)
             for name, family in source.FAMILIES.items()}

_STORED = {name: family for source in (decoders, fused, latent, modernbert, nomic_bert, t5)
           for name, family in source.FAMILIES.items()}

# What assume= names: the families of a name that differ in their parts.
ASSUMED: dict[str, list[Family]] = {}
for _family in _FAMILIES.values():
    _same = ASSUMED.setdefault(_family.name, [])
    if all(other.part.children.keys() != _family.part.children.keys() for other in _same):
        _same.append(_family)


def known_classes() -> Any:
    """Module path and name of the classes."""
    return sorted([*_FAMILIES, *_STORED])


def family_of(module: Any) -> Any:
    """The family of a module's class, or of the nearest known one that it is derived from. ValueError: none."""
    for kind in type(module).__mro__:
        if class_name(kind) in _FAMILIES:
            return _FAMILIES[class_name(kind)]
    reason = reason_of(module)
    if reason is not None:
        raise ValueError(reason)
    inside = _first_known(module)
    hint = f"; its {inside} is one" if inside else ""
    raise ValueError(f"its class is none of those whose function is known (python3 -m pydoc attcert.layer_of){hint}; "
                     f"where its parameters mean the same, assume= names one of {', '.join(sorted(ASSUMED))}")


def stored_of(module: Any) -> Any:
    """The Stored that a module's class, or one that it is derived from, is known by; None: there is none."""
    names = [class_name(kind) for kind in type(module).__mro__]
    return next((_STORED[name] for name in names if name in _STORED), None)


def assumed(module: Any, name: str) -> Any:
    """The first family of that name whose weights the module has. ValueError: none."""
    if name not in ASSUMED:
        raise ValueError(f"assume: {name!r}, expected one of {', '.join(sorted(ASSUMED))}")
    reasons = []
    for family in ASSUMED[name]:
        try:
            found = family.read(Parameters(module), module)
        except AttributeError as reason:  # a weight, which is None then, or a number of heads that is not there
            if "NoneType" not in str(reason):
                reasons.append(str(reason))
            continue
        if all(found.get(part) is not None for part in "qkv"):
            return family
    have = ", ".join(sorted(dict(module.named_parameters()))) or "none"
    why = f" ({'; '.join(reasons)})" if reasons else ""
    raise ValueError(f"it has the parameters {have}, expected those of {name!r}{why}")


def _first_known(module: Any) -> Any:
    modules = getattr(module, "named_modules", None)
    if callable(modules):
        for name, part in modules():
            if class_name(type(part)) in known_classes():
                return f"{name} ({type(part).__name__})"
    return None
