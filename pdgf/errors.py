"""What can go wrong, as types. Raised at the edge that notices it, turned into a sentence only at the surface.

PdgfError
  BadInput                  the caller can mend it (exit code 2)
    EmptyNarrative          nothing to read
    NarrativeTooLong        longer than the limit
    LanguageNotSupported    the engine in use cannot read the language
    NoPreferences           words, but no wish among them
    UnknownDomain           no bundled or indexed domain of that name
    CatalogueGone           the catalogue that a conversation is about was removed
    CatalogueInvalid        a catalogue file without one usable row
    UploadRefused           a file that a visitor has sent cannot be taken
      UploadTooLarge        it passes a limit of size or rows
      UploadNotText         it is no text: an archive, a spreadsheet, an image
      UploadGone            it is no longer here
      SeenListInvalid       no title of something seen can be read from it
    ConfigInvalid           a setting outside its range
  ServiceFailed             something outside the request failed (exit code 3)
    EmbedderUnavailable     the sentence encoder cannot be loaded
    WeightsDamaged          weights that came with the package are not what they were
    ParserUnavailable       the language parser cannot be loaded
    IndexUnavailable        an index cannot be read or built
    StoreUnavailable        the store cannot be read or written
      StoreDamaged          what is stored of a conversation is not as it was written
      StoreFileDamaged      a file of the store is no such file, or not as it was written
      StoreBeingCopied      its conversations are just being copied into a database
      ConversationBusy      another process is answering in the conversation
      StoreTooNew           a file of the store was written by a newer release
      DatabaseUnavailable   the database that several processes share does not answer
        DatabaseUnusable    it cannot be opened: its address, its access, or its tables
        DatabaseTooNew      a newer release has brought its tables up to date
    Crowded                 so many people are asking that no further turn is taken
    ModelFailed             the language model gives no service; the turn goes on without it
      ModelUnreachable      it did not answer in time, or not as an API
      ModelRefused          it will not serve us: key, credit, unknown model
    SearchFailed            no web search provider answers
  PageUnusable              one page cannot be read; it is left out
  StepFailed                one step of the language model gave nothing usable; that step alone is done otherwise
    ReplyUnusable           its reply could not be read, after asking once more
    PromptTooLong           the request does not fit into its context
    ReplyCutOff             its stream ended without a finish mark
  BudgetSpent               a cap or the deadline of the turn was reached
"""

from pathlib import Path


class PdgfError(Exception):
    """Root of everything this product raises on purpose."""


class BadInput(PdgfError):
    """The request cannot be served as it is; the caller can mend it."""


class EmptyNarrative(BadInput):
    """Raised when a narrative holds no letter or digit."""


class NarrativeTooLong(BadInput):
    """Raised when a narrative is longer than `limit` characters."""

    def __init__(self, length: int, limit: int) -> None:
        super().__init__(f"{length} characters, the limit is {limit}")
        self.length = length
        self.limit = limit


class NoPreferences(BadInput):
    """Raised when a narrative holds words but no preference could be read from it."""


class LanguageNotSupported(BadInput):
    """Raised when the engine in use cannot read the language of the narrative."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self.language = language


class UnknownDomain(BadInput):
    """Raised when no domain of that name is bundled or indexed."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"{name!r} is not among {', '.join(known)}")
        self.name = name
        self.known = known


class CatalogueGone(BadInput):
    """Raised when the catalogue that a conversation is about is no longer offered; the message is its name."""


class CatalogueInvalid(BadInput):
    """Raised when a catalogue file cannot be read or holds no usable row."""


class UploadRefused(BadInput):
    """A file that a visitor has sent cannot be taken; the message says why."""


class UploadTooLarge(UploadRefused):
    """Raised when what was sent passes a limit; the message names it ("20 MB")."""


class UploadNotText(UploadRefused):
    """Raised when a file is no text; the message names what it looks like ("a PDF")."""


class UploadGone(UploadRefused):
    """Raised when a file that was sent before is no longer here; the message says why."""


class SeenListInvalid(UploadRefused):
    """Raised when no title can be read from a list; the message names the first reasons."""


class ConfigInvalid(BadInput):
    """Raised when a setting is outside its range or two settings exclude each other."""


class ServiceFailed(PdgfError):
    """Something outside the request failed; trying again later may help."""


class EmbedderUnavailable(ServiceFailed):
    """Raised when the sentence encoder cannot be loaded."""


class WeightsDamaged(ServiceFailed):
    """Raised when a file of weights that came with the package is missing, changed or of another shape."""


class ParserUnavailable(ServiceFailed):
    """Raised when the language parser cannot be loaded."""


class IndexUnavailable(ServiceFailed):
    """Raised when an index can neither be read nor built."""


class StoreUnavailable(ServiceFailed):
    """Raised when the store cannot be read or written."""


class StoreDamaged(StoreUnavailable):
    """Raised when what is stored of a conversation is not as it was written; the others are not touched by that."""


class StoreFileDamaged(StoreUnavailable):
    """Raised when a whole file of the store cannot be used; it is left as it is."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path


class StoreBeingCopied(StoreUnavailable):
    """Raised where another process copies the conversations of a data folder: what is said now would stay behind."""


class ConversationBusy(StoreUnavailable):
    """Raised when another process has been answering in a conversation for too long to wait for it."""


class StoreTooNew(StoreUnavailable):
    """Raised for a file of the store that a newer release has written; it is left as it is."""

    def __init__(self, path: Path, version: int, known: int) -> None:
        super().__init__(f"{path}: written by a newer release (schema {version}, this one knows {known})")
        self.path = path


class DatabaseUnavailable(StoreUnavailable):
    """Raised when the database that several processes share does not answer; what was acknowledged is in it."""


class DatabaseReadOnly(DatabaseUnavailable):
    """Raised when that database answers and takes nothing: a copy that only follows another, or a full disk."""


class DatabaseUnusable(DatabaseUnavailable):
    """Raised when that database cannot be opened; it is left as it is."""


class DatabaseTooNew(DatabaseUnavailable):
    """Raised when a newer release has brought that database up to date; this one must not write to it any more."""

    def __init__(self, version: int, known: int) -> None:
        super().__init__(f"the database is of a newer release (schema {version}, this one knows {known})")


class Crowded(ServiceFailed):
    """Raised when so many turns are running or waiting that no further one is taken; nothing was begun."""


class ModelFailed(ServiceFailed):
    """The language model gives no service, after retries. `why` is one of `unreachable`, `busy`, `timeout`,
    `no_api`, `key`, `credit`, `model`, `refused`, `allowance_...`; `detail` is the provider's text without secrets."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(f"{why}: {detail}" if detail else why)
        self.why = why
        self.detail = detail


class ModelUnreachable(ModelFailed):
    """Raised when the model did not answer, after retries: `unreachable`, `busy`, `timeout` or `no_api`."""


class ModelRefused(ModelFailed):
    """Raised when the endpoint will not serve us; never retried: `key`, `credit`, `model` or `refused`."""


class SearchFailed(ServiceFailed):
    """No search provider answered. `provider` is the last one tried; `why` is one of `key`, `credit`, `busy`,
    `unreachable`, `timeout`, `refused`, `no_api`, `not_installed`, `none`."""

    def __init__(self, provider: str, why: str, detail: str = "") -> None:
        super().__init__(f"{provider}: {why}: {detail}" if detail else f"{provider}: {why}")
        self.provider = provider
        self.why = why
        self.detail = detail


class PageUnusable(PdgfError):
    """One page cannot be read. `why` is one of `refused_address`, `robots` (its rules forbid it),
    `robots_unreachable` (they could not be had), `cap` (of the pages of the turn), `timeout`, `unreachable`, `status`,
    `redirects`, `type`, `too_large`, `broken`, `empty`, `no_text`, `bot_check`, `too_long`, `extractor`."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"{why}: {url}")
        self.url = url
        self.why = why


class StepFailed(PdgfError):
    """One call of the language model gave nothing usable: its step takes the fallback of METHOD 2."""


class ReplyUnusable(StepFailed):
    """Raised when a reply could not be read or checked, after asking once more."""


class PromptTooLong(StepFailed):
    """Raised when a request does not fit into the context of the model."""


class ReplyCutOff(StepFailed):
    """Raised when a streamed reply ended without its finish mark; what came before it was handed on."""


class BudgetSpent(PdgfError):
    """Raised when a step would pass a cap of the turn; `what` names the cap."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
