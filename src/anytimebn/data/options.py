"""How a table is read: every option, with its default and its check, stands here and only here.

The command line, `learn`, `stream`, `score`, `bootstrap`, the estimator and studies hand these on
as one value; a result keeps it, so that its table can be read again in the same way.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence, Set, Sized
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeVar, get_args

from anytimebn.base.checks import are_names, check_options, is_whole
from anytimebn.base.errors import InputError
from anytimebn.base.text import shown, unknown_name

BinMethod = Literal["quantile", "width"]
MissingMethod = Literal["error", "drop", "category"]

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """How a table is read.

    What is given in other forms (lists, arrays, mappings) is kept as numbers, texts and tuples, so
    that two that mean the same are equal, and can be hashed.

    Parameters
    ----------
    bins : int or mapping of str to int, optional
        Cut columns with more than 32 distinct numbers into this many intervals (a number), or
        cut the named columns into that many (a mapping). Without it such columns are refused.
    bin_method : {"quantile", "width"}
        Intervals with about as many rows each, or of the same width. Equal values always share an
        interval, and intervals without a row are merged with their neighbour, so there can be
        fewer than asked for.
    missing : {"error", "drop", "category"}
        What to do with missing values (null and NaN in frames; in text files also empty cells,
        ``NA``, ``N/A``, ``NaN``, ``nan``, ``null``, ``NULL`` and ``?``): refuse them, drop their
        rows, or make missing a value of its own.
    header : bool
        Whether the first line of a ``.csv`` or ``.tsv`` file has the names; if not, the columns
        are called X0, X1 and so on.
    exclude : sequence of str
        Columns to leave out, such as row identifiers.
    names : sequence of str, optional
        Names to use instead of those of the table.

    Examples
    --------
    >>> options = TableOptions(bins={"height": 3}, exclude=["id"])
    >>> options.to_json()
    {'bins': {'height': 3}, 'exclude': ['id']}
    >>> TableOptions.from_json(options.to_json()) == options
    True
    """

    bins: int | Mapping[str, int] | tuple[tuple[str, int], ...] | None = None
    bin_method: BinMethod = "quantile"
    missing: MissingMethod = "error"
    header: bool = True
    exclude: Collection[str] = ()
    names: Sequence[str] | None = None

    def __post_init__(self) -> None:
        self._keep("bins", _checked_bins(self.bins))
        if self.bin_method not in get_args(BinMethod):
            raise InputError(unknown_name("bin_method", self.bin_method, get_args(BinMethod)))
        if self.missing not in get_args(MissingMethod):
            raise InputError(
                unknown_name("value of missing", self.missing, get_args(MissingMethod))
            )
        if not isinstance(self.header, bool):
            raise InputError(f"header must be True or False, not {shown(self.header)}")
        if not are_names(self.exclude):
            raise InputError(
                f"exclude must be a list of names of columns, not {shown(self.exclude)}"
            )
        left_out = sorted(self.exclude) if isinstance(self.exclude, Set) else self.exclude
        self._keep("exclude", tuple(dict.fromkeys(map(str, left_out))))
        if self.names is not None:
            if isinstance(self.names, str) or not isinstance(self.names, Sized):
                raise InputError(f"names must be a list of names, not {shown(self.names)}")
            self._keep("names", tuple(map(str, self.names)))

    def _keep(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def bins_of_all(self) -> int | None:
        """Intervals of every column with many numbers, if that is given."""
        return self.bins if isinstance(self.bins, int) else None

    @property
    def bins_by_name(self) -> dict[str, int]:
        """Intervals of single columns."""
        return dict(self.bins) if isinstance(self.bins, tuple) else {}

    def to_json(self) -> dict[str, Any]:
        """What differs from the defaults, as JSON values."""
        content: dict[str, Any] = {}
        for option in fields(self):
            value = getattr(self, option.name)
            if value == option.default:
                continue
            if option.name == "bins" and isinstance(value, tuple):
                value = dict(value)
            content[option.name] = list(value) if isinstance(value, tuple) else value
        return content

    @classmethod
    def from_json(cls, content: object) -> TableOptions:
        """Read what `to_json` gave; anything else is refused."""
        if not isinstance(content, Mapping):
            raise InputError(f"table_options must be an object of options, not {shown(content)}")
        return gather_table_options("table_options", None, content)


TABLE_KEYWORDS = tuple(option.name for option in fields(TableOptions))
"""The options by name, as functions that read tables take them."""


def _checked_bins(bins: Any) -> int | tuple[tuple[str, int], ...] | None:
    if bins is None:
        return None
    # The form that is kept is taken, too: `dataclasses.replace` gives it back.
    if isinstance(bins, tuple) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in bins):
        bins = dict(bins)
    if not isinstance(bins, Mapping):
        return _checked_count("bins", bins)
    counts = {str(name): _checked_count(f"bins of {name!r}", count) for name, count in bins.items()}
    return tuple(sorted(counts.items())) or None


def _checked_count(option: str, count: Any) -> int:
    from anytimebn.data.dataset import MAX_STATES

    if not is_whole(count):
        raise InputError(f"{option} is {count!r}; a whole number is needed")
    if not 2 <= count <= MAX_STATES:
        raise InputError(f"{option} is {count}; it must be from 2 to {MAX_STATES}")
    return int(count)


def gather_table_options(
    function: str, given: TableOptions | None, keywords: Mapping[str, Any]
) -> TableOptions:
    """Put together what a function was given: options as one value, or as keywords, or both.

    Parameters
    ----------
    function
        What messages call it.
    given
        Options as one value.
    keywords
        Options by name, which replace those of the value; unknown ones are refused.

    Examples
    --------
    >>> gather_table_options("learn", TableOptions(bins=3), {"missing": "drop"}).to_json()
    {'bins': 3, 'missing': 'drop'}
    """
    check_options(function, keywords, TABLE_KEYWORDS)
    if given is None:
        return TableOptions(**keywords)
    if not isinstance(given, TableOptions):
        raise InputError(f"table_options must be a TableOptions, not {shown(given)}")
    return replace(given, **keywords)


def takes_table_keywords(*names: str) -> Callable[[Function], Function]:
    """Show options in the signature of a function that takes them among ``**keywords``.

    So ``help`` and the completion of notebooks have them, and nobody declares them again.

    Parameters
    ----------
    names
        The options that the keywords can be, and nothing else; by default all, among others.

    Examples
    --------
    >>> @takes_table_keywords("missing")
    ... def read(table, **keywords): ...
    >>> str(inspect.signature(read))
    "(table, *, missing: 'MissingMethod' = 'error')"
    """

    def show(function: Function) -> Function:
        signature = inspect.signature(function)
        *own, keywords = signature.parameters.values()
        shown_too = [
            inspect.Parameter(
                option.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=option.default,
                annotation=option.type,
            )
            for option in fields(TableOptions)
            if option.name in (names or TABLE_KEYWORDS)
        ]
        function.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*own, *shown_too, *([] if names else [keywords])]
        )
        return function

    return show
