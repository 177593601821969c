"""Text files and workbooks as people have them."""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anytimebn as ab
from anytimebn.data.files import delimited, room
from anytimebn.data.files.separators import splits_evenly

ROWS = [("rain", "wet", "size"), ("yes", "yes", "1.5"), ("no", "yes", "2.5"), ("no", "no", "1.5")]
STATES = (("no", "yes"), ("no", "yes"), ("1.5", "2.5"))


def text(separator: str) -> str:
    return "".join(separator.join(cells) + "\n" for cells in ROWS)


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".txt", ".txt.gz"])
def test_separators_are_found_out(separator: str, suffix: str, tmp_path: Path) -> None:
    content = text(separator).encode()
    path = tmp_path / f"days{suffix}"
    path.write_bytes(gzip.compress(content) if suffix.endswith("gz") else content)
    data = ab.to_dataset(path)
    assert (data.names, data.states) == (ROWS[0], STATES)
    assert data.codes[0].tolist() == [1, 0, 0]


@given(
    lines=st.lists(
        st.tuples(
            st.lists(st.text("ab \r\0é", max_size=2), min_size=1, max_size=3),
            st.sampled_from(["{}", "{}", "{}", '"{}"', '"{}', '{}"', '"{}""', '"{}\n"']),
            st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n", "\r"]),
        ),
        min_size=1,
        max_size=6,
    ),
    mark=st.booleans(),
    ends=st.booleans(),
)
def test_plain_text_is_read_as_arrow_reads_it(
    lines: list[tuple[list[str], str, str]], mark: bool, ends: bool
) -> None:
    content = "\ufeff" * mark + "".join(
        ",".join(map(form.format, cells)) + end
        for cells, form, end in [(["x", "y"], "{}", "\n"), *lines]
    )
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), "table.csv", content if ends else content.rstrip("\r\n"))
        layout = delimited.Layout(path, ",")
        plain = delimited.read_plain(layout, 2, 1)
        if plain is None:
            return
        by_arrow = delimited.read_by_arrow(layout, 2, 1)
    assert [column.to_pylist() for column in plain] == [column.to_pylist() for column in by_arrow]
    assert [column.dictionary for column in plain] == [column.dictionary for column in by_arrow]


def test_most_tables_are_plain(tmp_path: Path) -> None:
    for number, content in enumerate(
        ["x,y\na,b\n", "x,y\r\na,b", '"x","y"\n"a, b","c"\n', "x,y\né,\n", "\ufeffx,y\n1.5,b\n"]
    ):
        layout = delimited.Layout(written(tmp_path, f"{number}.csv", content), ",")
        assert delimited.read_plain(layout, 2, 1) is not None
    for number, wrong in enumerate([b"x,y\n\xc3,\xa9\n", b"x,y\n\xff,a\n", b"x,y\na\n"]):
        path = written(tmp_path, f"wrong{number}.csv", wrong)
        assert delimited.read_plain(delimited.Layout(path, ","), 2, 1) is None
        with pytest.raises(ab.InputError, match=f"wrong{number}.csv"):
            ab.to_dataset(path)


def test_large_tables_are_read_in_pieces(tmp_path: Path) -> None:
    """A piece has a MiB or more; each has values that those before it lack."""
    rows = 300_000
    numbers = np.arange(rows) // 20_000 + 100
    lines = "".join(f"{number},{n % 3}\n" for n, number in enumerate(numbers.tolist()))
    data = ab.to_dataset(written(tmp_path, "large.csv", "x,y\n" + lines))
    assert (np.array(data.states[0], dtype=int)[data.codes[0]] == numbers).all()
    assert (data.codes[1] == np.arange(rows) % 3).all()


def test_blanks_separate_the_cells_of_txt_files_in_any_number(tmp_path: Path) -> None:
    content = '  rain wet   "the size" \nyes  yes 1.5\nno yes   "2.5"\n\n no no 1.5  \n'
    data = ab.to_dataset(written(tmp_path, "days.txt", content))
    assert (data.names, data.states) == (("rain", "wet", "the size"), STATES)
    with pytest.raises(ab.InputError, match=r"'wet' \(1 missing, first at line 3\)"):
        ab.to_dataset(written(tmp_path, "holes.txt", "rain wet\nyes yes\nno NA\n"))
    with pytest.raises(ab.InputError, match="line 3 has 1 cell, expected 2"):
        ab.to_dataset(written(tmp_path, "ragged.txt", "a b\n1 2\n1\n1 2\n"), separator="space")


def test_row_names_of_r_are_left_out(tmp_path: Path) -> None:
    rows = ["rain wet size", *(f'"{n}" {" ".join(row)}' for n, row in enumerate(ROWS[1:], 1))]
    for name, separator in (("days.txt", " "), ("days.csv", ",")):
        content = "\n".join(rows).replace(" ", separator)
        with pytest.warns(ab.DataWarning, match="the first column, without a name, labels the"):
            data = ab.to_dataset(written(tmp_path, name, content))
        assert (data.names, data.states) == (ROWS[0], STATES)


def test_a_separator_that_is_given_is_obeyed(tmp_path: Path) -> None:
    path = written(tmp_path, "days.csv", text(":"))
    with pytest.raises(ab.InputError, match=r"only one column.*--separator"):
        ab.to_dataset(path)
    result = ab.learn(path, separator=":")
    assert result.table_options.to_json() == {"separator": ":"}
    assert ab.verify(result, data=path).ok
    tabs = written(tmp_path, "tabs.csv", text("\t"))
    for name in ("tab", "\\t", "\t"):
        assert ab.to_dataset(tabs, separator=name).states == STATES


@pytest.mark.parametrize("separator", ["", ";;", "\n", '"', "é", 3])
def test_what_is_no_separator_is_refused(separator: Any) -> None:
    with pytest.raises(ab.InputError, match="separator must be one character such as ';'"):
        ab.TableOptions(separator=separator)


def test_commas_in_cells_do_not_hide_semicolons(tmp_path: Path) -> None:
    content = "name;price, EUR;note\nx;1,5;a, b\ny;2,25;c\nx;3;a, b\n"
    data = ab.to_dataset(written(tmp_path, "prices.csv", content))
    assert data.names == ("name", "price, EUR", "note")
    # Numbers with decimal commas are numbers, other text with commas is not.
    assert data.states[1:] == (("1.5", "2.25", "3"), ("a, b", "c"))
    many = "a;b\n" + "".join(f"{i},5;x\n" for i in range(40))
    assert ab.to_dataset(written(tmp_path, "many.csv", many), bins=2).bins == {"a": (20.0,)}


@given(
    st.sampled_from([",", ";", "|", "\t"]),
    st.integers(2, 5),
    st.lists(st.text("ab .1", max_size=3), min_size=10, max_size=30),
)
def test_only_the_separator_splits_evenly(separator: str, width: int, cells: list[str]) -> None:
    names = [f"n{i}" for i in range(width)]
    rows = [cells[i : i + width] for i in range(0, len(cells) - width + 1, width)]
    lines = [separator.join(row) + "\n" for row in [names, *rows]]
    assert splits_evenly(lines, separator)
    assert not any(splits_evenly(lines, other) for other in {",", ";", "|", "\t"} - {separator})


ENCODED = "größe,näße\nklein,ja\ngroß,nein\ngroß,ja\n"


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-16", "utf-8", "UTF_8"])
def test_encodings_are_obeyed(encoding: str, tmp_path: Path) -> None:
    path = written(tmp_path, "sizes.csv", ENCODED.encode(encoding))
    data = ab.to_dataset(path, encoding=encoding)
    assert (data.names, data.states[0]) == (("größe", "näße"), ("groß", "klein"))
    blanks = written(tmp_path, "sizes.txt", ENCODED.replace(",", " ").encode(encoding))
    assert ab.to_dataset(blanks, encoding=encoding).states == data.states


@pytest.mark.parametrize("suffix", [".arff", ".dat"])
def test_encodings_of_other_text_files_are_obeyed(suffix: str, tmp_path: Path) -> None:
    content = {
        ".arff": "@attribute größe {ja,nein}\n@attribute b {x,y}\n@data\nja,x\nnein,y\n",
        ".dat": "größe b\n2 2\n0 1\n1 1\n",
    }[suffix]
    path = written(tmp_path, f"sizes{suffix}", content.encode("cp1252"))
    assert ab.to_dataset(path, encoding="cp1252").names[0] == "größe"
    with pytest.raises(ab.InputError, match="try --encoding cp1252"):
        ab.to_dataset(path)


@pytest.mark.parametrize(
    ("content", "encoding"),
    [(ENCODED, "cp1252"), ("возраст,пол\n1,да\n2,нет\n", "cp1251"), (ENCODED, "utf-16")],
)
def test_a_likely_encoding_is_named(content: str, encoding: str, tmp_path: Path) -> None:
    path = written(tmp_path, "sizes.csv", content.encode(encoding))
    with pytest.raises(ab.InputError, match=rf"line 1 is not UTF-8 .*--encoding {encoding}"):
        ab.to_dataset(path)
    assert ab.to_dataset(path, encoding=encoding).rows == len(content.splitlines()) - 1


def test_a_wrong_encoding_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, "sizes.csv", ENCODED)
    with pytest.raises(ab.InputError, match="not text in the encoding ascii"):
        ab.to_dataset(path, encoding="ascii")
    for encoding in ("utf-99", "hex", 8, "\0"):
        with pytest.raises(ab.InputError, match=r"encoding .* is not known"):
            ab.TableOptions(encoding=encoding)  # type: ignore[arg-type]


FRAME = pd.DataFrame({"a": ["x", "y", "x", "y"], "b": [1, 0, 0, 1], "c": [1, 1, 0, 0]})


def test_row_labels_that_pandas_wrote_are_left_out_with_a_word(tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "labels.csv")
    with pytest.warns(ab.DataWarning, match="without a name, labels the rows and is left out"):
        data = ab.to_dataset(tmp_path / "labels.csv")
    assert data.names == ("a", "b", "c")
    again = pd.read_csv(tmp_path / "labels.csv")
    assert again.columns[0] == "Unnamed: 0"
    again.to_csv(tmp_path / "again.csv", index=False)
    for table in (again, tmp_path / "again.csv"):
        with pytest.warns(ab.DataWarning, match="'Unnamed: 0', labels the rows and is left out"):
            assert ab.to_dataset(table).names == ("a", "b", "c")
    # What does not count rows is a column, whatever its name.
    assert ab.to_dataset(again.assign(**{"Unnamed: 0": [5, 5, 3, 3]})).names[0] == "Unnamed: 0"


def test_a_header_that_looks_like_data_is_warned_of(tmp_path: Path) -> None:
    path = written(tmp_path, "iris.csv", "5.1,3.5,setosa\n4.9,3.0,setosa\n6.3,3.5,virginica\n")
    with pytest.warns(ab.DataWarning, match=r"'5.1', '3.5', 'setosa'.*looks like .*--no-header"):
        ab.to_dataset(path)
    assert ab.to_dataset(path, header=False).rows == 3  # any warning would fail the test
    # Names of years stand above text, those that pandas gives count from 0.
    ab.to_dataset(written(tmp_path, "years.csv", "2019,2020\nup,down\ndown,up\n"))
    ab.to_dataset(written(tmp_path, "numbers.csv", "0,1\n3,4\n4,3\n"))


def test_duplicate_names_suggest_that_there_is_no_header(tmp_path: Path) -> None:
    path = written(tmp_path, "votes.csv", "yes,no,yes\nno,no,yes\nyes,yes,no\n")
    with pytest.raises(ab.InputError, match=r"duplicate column names: 'yes'; .*--no-header"):
        ab.to_dataset(path)
    assert ab.to_dataset(path, header=False).names == ("X0", "X1", "X2")


def test_the_first_sheet_of_a_workbook_is_read(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for cells in (["rain", None, "wet", "n"], [], ["yes", None, True, 1], ["no", None, False, 2.5]):
        book.active.append(cells)
    book.active.append(["?", None, True, None])
    book.create_sheet("notes").append(["nothing"])
    book.save(tmp_path / "days.xlsx")
    data = ab.to_dataset(tmp_path / "days.xlsx", missing="drop")
    assert data.names == ("rain", "wet", "n")
    assert data.states == (("no", "yes"), ("False", "True"), ("1.0", "2.5"))
    with pytest.raises(ab.InputError, match=r"'rain' \(1 missing, first at row 5\)"):
        ab.to_dataset(tmp_path / "days.xlsx")
    assert ab.to_dataset(tmp_path / "days.xlsx", header=False, missing="category").rows == 4


def test_workbooks_that_are_none_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "days.xlsx", "rain,wet\n")
    with pytest.raises(ab.InputError, match=r"days.xlsx: not an .xlsx workbook"):
        ab.to_dataset(path)
    code = (
        "import sys; sys.modules['openpyxl'] = None\n"
        f"import anytimebn as ab\ntry: ab.to_dataset({str(path)!r})\n"
        "except ImportError as error: print(error)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'anytimebn[excel]'" in ended.stdout


@pytest.mark.parametrize("suffix", [".feather", ".arrow"])
def test_damaged_arrow_files_are_refused(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"days{suffix}"
    FRAME.to_feather(path)
    content = path.read_bytes()
    for damaged in (b"nothing", content[: len(content) // 2], content[:8] + b"\0" * 40):
        path.write_bytes(damaged)
        with pytest.raises(ab.InputError, match="not an Arrow file that can be read"):
            ab.to_dataset(path)


def test_whole_numbers_that_only_tell_rows_apart_are_warned_of() -> None:
    frame = pd.DataFrame({"id": range(1000, 1050), "b": [1, 0] * 25, "c": [1, 1, 0, 0, 1] * 10})
    with pytest.warns(ab.DataWarning, match=r"'id' has 50 values in 50 rows; leave it out"):
        ab.to_dataset(frame, bins=3)
    ab.to_dataset(frame.assign(id=frame["id"] + 0.5), bins=3)  # measured: no warning
    ab.to_dataset(frame.assign(id=[1000, *range(1000, 1049)]), bins=3)


def test_more_columns_than_there_is_memory_for_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before Arrow reads them: where it gets no memory, it ends the whole process."""
    path = written(tmp_path, "wide.csv", "\n".join([",".join(map(str, range(5000)))] * 3))
    monkeypatch.setattr(room, "memory_to_use", lambda _: 50_000_000)
    with pytest.raises(ab.InputError, match=r"5,000 columns take at least 76\.3 MiB"):
        ab.to_dataset(path)
    monkeypatch.setattr(room, "memory_to_use", lambda _: 100_000_000)
    assert len(ab.to_dataset(path, categorical="all").names) == 5000
