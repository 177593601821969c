"""How a table is read: every option, with its default and its check, stands here and only here.

The command line, `learn`, `stream`, `score`, `bootstrap`, the estimator and studies hand these on
as one value; a result keeps it, so that its table can be read again in the same way.
"""

from __future__ import annotations

import codecs
import inspect
import math
from collections.abc import Callable, Collection, Mapping, Sequence, Set, Sized
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any, Literal, TypeVar, get_args

from anytimebn.base.checks import are_names, check_options, is_list, is_number, is_whole
from anytimebn.base.errors import InputError
from anytimebn.base.text import shown, unknown_name

BinMethod = Literal["quantile", "width", "mdl"]
MissingMethod = Literal["error", "drop", "category", "em"]
Cuts = int | tuple[float, ...]
"""How one column is cut: into how many intervals, or where."""

OTHERS = "*"
"""In ``bins``: all columns with many numbers that are not named."""

ALL = "all"
"""In ``categorical``: every column."""

SEPARATOR_NAMES = {
    "tab": "\t",
    "\\t": "\t",
    "space": " ",
    "comma": ",",
    "semicolon": ";",
    "pipe": "|",
}
"""Separators that are easier to say than to type."""

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """How a table is read.

    What is given in other forms (lists, arrays, mappings) is kept as numbers, texts and tuples, so
    that two that mean the same are equal, and can be hashed.

    Parameters
    ----------
    bins : int, or mapping of str to int or sequence of float, optional
        Cut columns with more than 32 distinct numbers into this many intervals (a number), or cut
        the named columns (a mapping): into so many intervals, or at these points, ``[10, 20]``
        being below 10, from 10 to below 20, and from 20 on. The name ``"*"`` stands for all other
        columns with more than 32 distinct numbers. Without it such columns are refused, unless
        `bin_method` is ``"mdl"``.
    bin_method : {"quantile", "width", "mdl"}
        Intervals with about as many rows each, or of the same width, or those of the histogram that
        describes the column in the fewest bits: as many as pay, but no more than `bins`. Equal
        values always share an interval, and intervals without a row are merged with their
        neighbour, so there can be fewer than asked for.
    categorical : sequence of str, or "all"
        Columns whose numbers are codes: each is a value of its own, however many there are. Columns
        of a categorical type, and of text in a data frame, are categorical without saying so.
    missing : {"error", "drop", "category", "em"}
        What to do with missing values (null and NaN in frames; in text files also empty cells,
        ``NA``, ``N/A``, ``NaN``, ``nan``, ``null``, ``NULL`` and ``?``): refuse them, drop their
        rows, make missing a value of its own, or have them completed by expectation maximisation
        when a network is learned.
    weights : str, optional
        A column of whole numbers, how often each row is to count: the table is what it would be
        with every row repeated so often. The column itself is left out.
    header : bool
        Whether the first line of a text file has the names; if not, the columns are called X0, X1
        and so on.
    separator : str, optional
        What separates the cells of a text file: a character, or ``"tab"`` or ``"space"`` (any
        number of these). By default it is found out.
    encoding : str, optional
        Encoding of a text file; by default UTF-8.
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

    bins: int | Mapping[str, int | Sequence[float]] | tuple[tuple[str, Cuts], ...] | None = None
    bin_method: BinMethod = "quantile"
    categorical: Collection[str] | Literal["all"] = ()
    missing: MissingMethod = "error"
    weights: str | None = None
    header: bool = True
    separator: str | None = None
    encoding: str | None = None
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
        self._keep("exclude", _checked_names("exclude", self.exclude))
        if self.categorical != ALL:
            self._keep("categorical", _checked_names("categorical", self.categorical))
        if self.weights is not None and not are_names([self.weights]):
            raise InputError(f"weights must be the name of a column, not {shown(self.weights)}")
        self._keep("separator", _checked_separator(self.separator))
        self._keep("encoding", _checked_encoding(self.encoding))
        if self.names is not None:
            if isinstance(self.names, str) or not isinstance(self.names, Sized):
                raise InputError(f"names must be a list of names, not {shown(self.names)}")
            self._keep("names", tuple(map(str, self.names)))

    def _keep(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def bins_of_all(self) -> Cuts | None:
        """How every column with many numbers is cut that is not named, if that is given."""
        return dict(self.bins).get(OTHERS) if isinstance(self.bins, tuple) else self.bins  # type: ignore[return-value]

    @property
    def bins_by_name(self) -> dict[str, Cuts]:
        """How single columns are cut."""
        named = dict(self.bins) if isinstance(self.bins, tuple) else {}
        return {name: cuts for name, cuts in named.items() if name != OTHERS}

    def is_categorical(self, name: str) -> bool:
        """Whether the numbers of a column are said to be codes."""
        return self.categorical == ALL or name in self.categorical

    def to_json(self) -> dict[str, Any]:
        """What differs from the defaults, as JSON values."""
        content: dict[str, Any] = {}
        for option in fields(self):
            value = getattr(self, option.name)
            if value == option.default:
                continue
            if option.name == "bins" and isinstance(value, tuple):
                value = {
                    name: list(cuts) if isinstance(cuts, tuple) else cuts for name, cuts in value
                }
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


def _checked_bins(bins: Any) -> int | tuple[tuple[str, Cuts], ...] | None:
    if bins is None:
        return None
    # The form that is kept is taken, too: `dataclasses.replace` gives it back.
    if isinstance(bins, tuple) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in bins):
        bins = dict(bins)
    if not isinstance(bins, Mapping):
        return _checked_count("bins", bins)
    cuts: dict[str, Cuts] = {
        str(name): _checked_cuts(f"bins of {name!r}", own) for name, own in bins.items()
    }
    return tuple(sorted(cuts.items())) or None


def _checked_cuts(option: str, cuts: Any) -> Cuts:
    if not (is_list(cuts) or hasattr(cuts, "tolist")) or is_whole(cuts):
        return _checked_count(option, cuts)
    points = list(cuts)
    if not points or not all(is_number(point) and math.isfinite(point) for point in points):
        raise InputError(f"{option} is {shown(points)}; a list of points to cut at needs numbers")
    ascending = tuple(float(point) + 0.0 for point in points)  # no negative zero
    if any(high <= low for low, high in pairwise(ascending)):
        raise InputError(f"{option} is {shown(points)}; points to cut at must ascend")
    return ascending


def _checked_count(option: str, count: Any) -> int:
    from anytimebn.data.dataset import MAX_STATES

    if not is_whole(count):
        raise InputError(f"{option} is {count!r}; a whole number is needed")
    if not 2 <= count <= MAX_STATES:
        raise InputError(f"{option} is {count}; it must be from 2 to {MAX_STATES}")
    return int(count)


def _checked_names(option: str, names: Any) -> tuple[str, ...]:
    if not are_names(names):
        raise InputError(f"{option} must be a list of names of columns, not {shown(names)}")
    in_order = sorted(names) if isinstance(names, Set) else names
    return tuple(dict.fromkeys(map(str, in_order)))


def _checked_separator(separator: Any) -> str | None:
    if separator is None:
        return None
    meant = SEPARATOR_NAMES.get(separator, separator) if isinstance(separator, str) else separator
    if not (isinstance(meant, str) and len(meant) == 1 and meant.isascii()) or meant in '"\r\n\0':
        raise InputError(
            f"separator must be one character such as ';', or 'tab' or 'space', "
            f"not {shown(separator)}"
        )
    return meant


def _checked_encoding(encoding: Any) -> str | None:
    if encoding is None:
        return None
    try:
        "".encode(encoding)  # some codecs are not for text
        return codecs.lookup(encoding).name
    except (LookupError, TypeError, ValueError) as error:
        raise InputError(
            f"encoding {shown(encoding)} is not known; encodings are utf-8, cp1252 (Windows), "
            "latin-1, utf-16, ..."
        ) from error


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
