from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from service.config import RATES, SettingError, read
from service.ports import Rate


def test_without_any_variable_everything_has_a_default() -> None:
    settings = read({})
    assert (settings.host, settings.port, settings.web_workers) == ("127.0.0.1", 8000, 2)
    assert settings.data == Path.cwd() / "var"
    assert settings.signing_key == settings.data / "signing.key"
    assert settings.redis_url is None
    assert settings.durability == "always"
    assert settings.lifeline is None


def test_every_variable_is_read_and_named_after_its_field() -> None:
    given = {
        "HOST": "0.0.0.0",
        "PORT": "9000",
        "DATA": "/srv/foldtable",
        "REDIS_URL": "rediss://:pw@example.org:6379/1",
        "SIGNING_KEY": "/etc/foldtable.key",
        "WEB_WORKERS": "4",
        "DURABILITY": "replicated",
        "CACHE_COMMITS": "1000",
        "MAX_MATCHES": "7",
        "MAX_RECORD_BYTES": "5000",
        "LIMITS": "off",
        "FORWARDED_HOPS": "2",
        "MAX_CONNECTIONS": "100",
        "MAX_STREAMS": "3",
        "BODY_SECONDS": "5",
        "BODY_RATE": "1000",
        **{f"RATE_{name.upper()}": f"{number} per minute" for number, name in enumerate(RATES, 1)},
        "OPERATOR_TOKEN": "/etc/foldtable.operator",
        "LOG_LEVEL": "info",
        "LIFELINE": "/srv/foldtable/serve.lock#1f",
    }
    settings = read({f"FOLDTABLE_{name}": value for name, value in given.items()})
    fields = {field.name.upper(): getattr(settings, field.name) for field in dataclasses.fields(settings)}
    assert {name: _written(value) for name, value in fields.items()} == given


def _written(value: object) -> str:
    if isinstance(value, Rate):
        return f"{value.amount} per minute"
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def test_an_empty_variable_is_as_good_as_none() -> None:
    assert read({"FOLDTABLE_PORT": " ", "FOLDTABLE_REDIS_URL": ""}) == read({})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SCRIPT_NAME", "games"),
        ("FOLDTABLE_PORT", "http"),
        ("FOLDTABLE_PORT", "0"),
        ("FOLDTABLE_PORT", "65536"),
        ("FOLDTABLE_PORT", "-1"),
        ("FOLDTABLE_PORT", "8_000"),
        ("FOLDTABLE_WEB_WORKERS", "0"),
        ("FOLDTABLE_LIMITS", "no"),
        ("FOLDTABLE_FORWARDED_HOPS", "-1"),
        ("FOLDTABLE_MAX_STREAMS", "0"),
        ("FOLDTABLE_RATE_MOVES", "10/s"),
        ("FOLDTABLE_WEB_WORKERS", "²"),
        ("FOLDTABLE_CACHE_COMMITS", "many"),
        ("FOLDTABLE_DURABILITY", "sometimes"),
        ("FOLDTABLE_DURABILITY", "replicated"),
        ("FOLDTABLE_REDIS_URL", "localhost:6379"),
        ("FOLDTABLE_REDIS_URL", "http://:hunter2@localhost"),
    ],
)
def test_a_bad_value_is_told_in_one_line_that_names_it(name: str, value: str) -> None:
    with pytest.raises(SettingError) as told:
        read({name: value})
    message = str(told.value)
    assert message.startswith(name)
    assert "\n" not in message
    assert "hunter2" not in message
