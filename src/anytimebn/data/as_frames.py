"""Values that become data frames: what makes an Arrow table of itself becomes others, too."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from anytimebn.base.optional import optional


class BecomesFrame(ABC):
    """A value with the methods `to_arrow`, `to_pandas` and `to_polars`."""

    @abstractmethod
    def to_arrow(self) -> Any:
        """Convert to a `pyarrow.Table`."""

    def to_pandas(self) -> Any:
        """Convert to a `pandas.DataFrame`, as `to_arrow` does."""
        optional("pandas", needed_for="a pandas data frame", install="pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Convert to a `polars.DataFrame`, as `to_arrow` does."""
        polars = optional("polars", needed_for="a polars data frame", install="polars")
        return polars.from_arrow(self.to_arrow())
