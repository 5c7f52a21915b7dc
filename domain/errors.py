"""The base of every exception that Foldtable raises. The classes themselves stand beside what raises them.

::

    FoldtableError
    ├── MalformedError          validation: data of a wrong shape
    ├── UnreadableError         wire: a stored commit cannot be decoded or does not follow
    ├── NewerReleaseError       here: only a newer release can read or decide the match
    │   ├── NewerProtocolError  protocol: by its protocol
    │   └── NewerRulesError     game: by the version of its game's rules
    ├── UnavailableError        store: the log cannot be reached just now
    ├── DamagedError            store: a stored entry is not what was written
    ├── ArchivedError           store: the match has moved to the archive
    ├── RecordFormatError       replay.record: the bytes are not a record
    ├── UnknownGameError, InputError, OtherMatchError, OtherKeyError
    │                           service.integrity.records: what a record cannot be verified with
    ├── ProblemError            service.problems: the request is refused, with a code
    ├── FencedError, ForeignDataError, RewriteRefusedError
    │                           service.ports: what a port cannot do
    ├── RebuildError            service.readmodels.rebuild
    └── SettingError, StartError, ServerStartError, UnfitServerError, HeldError, ReplayError
                                service.config, service.cli, service.adapters: why a command cannot go on
"""

from __future__ import annotations

from typing import ClassVar


class FoldtableError(Exception):
    """Any error that Foldtable raises on purpose."""


class NewerReleaseError(FoldtableError):
    """A match that only a newer release can read or decide. Its log may be in perfect order."""

    code: ClassVar[str]
    """The stable code of the problem, see ``service.problems``."""
