"""The examples of all docstrings."""

import doctest
import importlib

import pytest

import upstar
from upstar import _upstar


@pytest.mark.parametrize(
    "name",
    ["upstar", "upstar._match", "upstar._command", "upstar._progress", "upstar._run"]
    + ["upstar._tournament", "upstar.cluster"]
    + ["upstar.pettingzoo", "upstar.gymnasium", "upstar.openspiel"],
)
def test_modules(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ImportError as missing:
        pytest.skip(f"{missing.name} is not installed")
    assert doctest.testmod(module).failed == 0


def test_compiled_classes_and_functions() -> None:
    runner = doctest.DocTestRunner()
    tried = 0
    for name in upstar.__all__:
        thing = getattr(_upstar, name, None)
        members = [(name, thing)]
        members += [(f"{name}.{member}", getattr(thing, member)) for member in dir(thing)]
        for called, member in members:
            text = getattr(member, "__doc__", None)
            if isinstance(text, str) and ">>>" in text:
                example = doctest.DocTestParser().get_doctest(text, {}, called, None, 0)
                runner.run(example)
                tried += 1
    assert tried > 10 and runner.summarize(verbose=False).failed == 0
