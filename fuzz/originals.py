"""Small files of every format that is read, whole and sound: what readers are attacked with."""

from __future__ import annotations

import gzip
import io
import json

import openpyxl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

CSV = """rain,wet,"slip, or not",hours
no,no,no,1
yes,yes,no,2.5
yes,"y""es",yes,3
no,no,?,
yes,yes,no,2
"""
ARFF = """% weather
@relation weather
@attribute rain {no, yes}
@attribute 'wet grass' {no, 'very wet', yes}
@attribute hours numeric
@attribute note string
@data
no, no, 1, a
yes, 'very wet', 2.5, "b c"
yes, yes, ?, d
"""
DAT = """rain wet hours
2 2 3
0 0 2
1 1 1
1 0 0
0 1 2
"""
JKL = """# score: mdl
# max_parents: 2
# arities: [2, 2, 3]
# metadata: {"rows": 20, "max_parents": 2, "max_parents_exact": true, "sets_counted": 8}
3
rain 2
-10.633902293091758 1 wet
-14.958099476962136 0
wet 3
-9.5 2 rain hours
-10.633902293091758 1 rain
-14.958099476962136 0
hours 1
-14.958099476962136 0
"""
PSS = """META pss_version=0.1
META score_type=mdl
META rows=20
META max_parents=2
META max_parents_exact=true

VAR rain
META arity=2
-10.633902293091758 wet
-14.958099476962136

VAR wet
META arity=2
-9.5 rain hours
-14.958099476962136

VAR hours
META arity=3
-14.958099476962136
"""
BIF = """network unknown {
}
variable rain {
  type discrete [ 2 ] { no, yes };
}
variable wet_grass {
  type discrete [ 3 ] { no, 1, very_wet };
  property original_name = wet%20grass ;
  property original_value_2 = very%20wet ;
}
probability ( rain ) {
  table 0.25, 0.75;
}
probability ( wet_grass | rain ) {
  (no) 0.5, 0.25, 0.25;
  (yes) 0.125, 0.125, 0.75;
}
"""
NET = """net
{
}
node rain
{
  label = "rain";
  states = ("no" "yes");
}
node wet
{
  anytimebn_name = "wet grass";
  anytimebn_states = ("no" "very wet");
  states = ("no" "very_wet");
}
potential (rain | wet)
{
  data = ((0.5 0.5)
    (0.25 0.75));
}
potential (wet)
{
  data = (0.25 0.75);
}
"""
XMLBIF = """<?xml version="1.0" encoding="UTF-8"?>
<BIF VERSION="0.3">
<NETWORK>
<NAME>weather</NAME>
<VARIABLE TYPE="nature">
  <NAME>rain</NAME>
  <OUTCOME>no</OUTCOME>
  <OUTCOME>yes &amp; no</OUTCOME>
</VARIABLE>
<VARIABLE TYPE="nature">
  <NAME>wet</NAME>
  <OUTCOME>0</OUTCOME>
  <OUTCOME>1</OUTCOME>
  <PROPERTY>position = (1, 2)</PROPERTY>
</VARIABLE>
<DEFINITION>
  <FOR>rain</FOR>
  <GIVEN>wet</GIVEN>
  <TABLE>0.5 0.5 0.25 0.75</TABLE>
</DEFINITION>
<DEFINITION>
  <FOR>wet</FOR>
  <TABLE>0.25 0.75</TABLE>
</DEFINITION>
</NETWORK>
</BIF>
"""
NETWORK = {
    "variables": ["rain", "wet", "hours"],
    "parents": {"rain": ["wet"], "wet": [], "hours": []},
    "states": {"rain": ["no", "yes"], "wet": ["0", "1"], "hours": ["0"]},
    "probabilities": {"rain": [[0.5, 0.5], [0.25, 0.75]], "wet": [0.25, 0.75], "hours": [1.0]},
}
RESULT = {
    "status": "optimal",
    "claim": "optimal up to 1 parent",
    "cost": 9.0,
    "score": -9.0,
    "lower_bound": 9.0,
    "error_bound": 1.0,
    "variables": ["rain", "wet", "hours"],
    "parents": {"rain": ["wet"], "wet": [], "hours": []},
    "score_name": "mdl",
    "ess": 1.0,
    "max_parents": 1,
    "max_parents_exact": False,
    "pops": 5,
    "algorithm": "auto",
    "heuristic": "static-pd",
    "seed": 0,
    "parameters": {"easy-expansions": 10.0},
    "expanded": 7,
    "stored": 1,
    "peak_memory_bytes": 132256,
    "seconds": {"reading": 0.5, "scoring": 0.25, "bounds": 0.0, "search": 1.0, "total": 2.0},
    "events": [
        {"seconds": 0.5, "cost": 10.0, "lower_bound": None, "expanded": 0, "space": "order search"},
        {"seconds": 1.5, "cost": 9.0, "lower_bound": 9.0, "expanded": 7, "space": "all networks"},
    ],
    "constraints": {
        "require": [["wet", "rain"]],
        "forbid": [["rain", "hours"]],
        "tiers": [["hours", "wet"], ["rain"]],
        "max_parents": {"rain": 1},
    },
    "certificate": {
        "kind": "rows",
        "clusters": [["rain", "wet"]],
        "zero_half": [{"rows": [0], "variables": ["rain"]}],
        "stages": [{"rows": [0, 1], "multipliers": [4, 0], "denominator": 1}],
        "lower_bound": 6.0,
    },
    "arc_strengths": [["wet", "rain", 4.5]],
    "table_options": {"bins": 3, "missing": "drop", "exclude": ["id"]},
    "space": {
        "complete": False,
        "all_up_to": 1,
        "neighbourhood": False,
        "grown": 0,
        "largest": 1,
    },
    "stages": [{"stage": "order search", "seconds": 1.25, "cost": 9.0, "status": "finished"}],
    "rows": 20,
    "version": "0.1.0",
}
TOML = """require = ["rain -> wet", ["hours", "wet"]]
forbid = ["wet -> rain"]
tiers = [["rain", "hours"], ["wet"]]
[max_parents]
wet = 2
"""
YAML = """require:
  - rain -> wet
  - [hours, wet]
forbid: ["wet -> rain"]
tiers: &earlier [[rain, hours], [wet]]
max_parents: {wet: 2}
"""
TIERS = """# what comes first
rain hours
wet, slip
"""
KNOWLEDGE = {
    "require": ["rain -> wet", ["hours", "wet"]],
    "forbid": ["wet -> rain"],
    "tiers": [["rain", "hours"], ["wet"]],
    "max_parents": {"wet": 2},
}


TABLE = pa.table(
    {
        "rain": pa.array(["no", "yes", None, "no"]),
        "wet": pa.array(["a", "b", "a", "a"]).dictionary_encode(),
        "hours": pa.array([1.5, 2.0, 2.0, None]),
        "days": pa.array([1, 2, 2, 1], pa.int8()),
        "fine": pa.array([True, False, True, True]),
    }
)


def _parquet() -> bytes:
    sink = io.BytesIO()
    pyarrow.parquet.write_table(TABLE, sink, compression="none")
    return sink.getvalue()


def _feather() -> bytes:
    sink = io.BytesIO()
    pyarrow.feather.write_feather(TABLE, sink, compression="uncompressed")
    return sink.getvalue()


def _arrow_stream() -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, TABLE.schema) as stream:
        stream.write_table(TABLE)
    return sink.getvalue()


def _excel() -> bytes:
    book = openpyxl.Workbook()
    for row in ([*TABLE.column_names], *zip(*TABLE.to_pydict().values(), strict=True)):
        book.active.append(row)
    sink = io.BytesIO()
    book.save(sink)
    return sink.getvalue()


def _json(content: object) -> bytes:
    return json.dumps(content, indent=1).encode()


ORIGINALS: dict[str, tuple[str, bytes]] = {
    "csv": (".csv", CSV.encode()),
    "tsv": (".tsv", CSV.replace(",", "\t").encode()),
    "csv.gz": (".csv.gz", gzip.compress(CSV.encode(), mtime=0)),
    "parquet": (".parquet", _parquet()),
    "txt": (".txt", CSV.replace(",", " ").encode()),
    "feather": (".feather", _feather()),
    "arrow": (".arrow", _arrow_stream()),
    "xlsx": (".xlsx", _excel()),
    "arff": (".arff", ARFF.encode()),
    "dat": (".dat", DAT.encode()),
    "jkl": (".jkl", JKL.encode()),
    "pss": (".pss", PSS.encode()),
    "bif": (".bif", BIF.encode()),
    "net": (".net", NET.encode()),
    "xmlbif": (".xmlbif", XMLBIF.encode()),
    "network": (".json", _json(NETWORK)),
    "result": (".json", _json(RESULT)),
    "toml": (".toml", TOML.encode()),
    "yaml": (".yaml", YAML.encode()),
    "knowledge": (".json", _json(KNOWLEDGE)),
    "tiers": (".txt", TIERS.encode()),
}
"""By the reader that takes them: the suffix of the file, and its content."""
