"""The page to browse the description, over the real server: all that it needs comes from here."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import urllib.error
import urllib.request
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.support.supervised import address, fetched

__all__ = ["address"]

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Loads(HTMLParser):
    """What a page loads."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("src", "href") and value]


@pytest.mark.parametrize("path", ["/api/docs", "/api/docs/", "/api/docs/index.html"])
def test_everything_that_the_page_loads_comes_from_here(address: str, path: str) -> None:
    kind, policy, page = fetched(address + path)
    assert kind.startswith("text/html")
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|javascript:", page)
    assert "http" not in page.replace(address, "")
    loads = Loads(page).found
    assert len(loads) >= 5
    for place in loads:
        assert place.startswith("/api/docs/")
        kind, _policy, text = fetched(address + place)
        assert kind.split(";")[0] in ("text/css", "text/javascript", "application/javascript", "image/png")
        if "css" in kind:
            assert not re.search(r"@import|url\(\s*[\"']?(https?:)?//", text)
    assert 'data-description="/api/openapi.json"' in page


def test_the_page_takes_nothing_over_from_the_request(address: str) -> None:
    asked = urllib.request.Request(f"{address}/api/docs/?x=<script>", headers={"Host": "somewhere.else"})
    with urllib.request.urlopen(asked, timeout=10) as answer:
        page = answer.read().decode()
    assert "somewhere.else" not in page
    assert "<script>x" not in page


def test_a_file_that_the_page_does_not_have_is_a_problem(address: str) -> None:
    for path in ("nothing.js", "../openapi.py", "..%2f..%2fopenapi.py", "%00"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            fetched(f"{address}/api/docs/{path}")
        assert refused.value.headers["Content-Type"] == "application/problem+json"
        assert refused.value.code == 404


# `make test` installs no browser. Where the machine has one, the page is also opened; where it has none, there is no such
# test, and what stands above is what can be known.
if CHROMIUM:

    def test_a_browser_shows_every_operation(address: str, tmp_path: Path) -> None:
        page = dom(f"{address}/api/docs/", tmp_path)
        described = json.loads(fetched(f"{address}/api/openapi.json")[2])
        shown = re.findall(r'<a class="nostyle"[^>]*><span>(.*?)</span></a>', page)
        paths = [re.sub(r"<[^>]*>|\u200b", "", text) for text in shown]
        for path, item in described["paths"].items():
            assert paths.count(path) == len(item.keys() - {"parameters"}), path
        assert "errors-wrapper" not in page
        assert "Failed to load" not in page


def dom(url: str, folder: Path) -> str:
    """The page as a browser has it in the end, one that finds no other host."""
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={folder}"]
    alone = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--disable-background-networking"]
    run = [str(CHROMIUM), *flags, *alone, "--virtual-time-budget=20000", "--dump-dom", url]
    return subprocess.run(run, capture_output=True, text=True, timeout=120, check=True).stdout
