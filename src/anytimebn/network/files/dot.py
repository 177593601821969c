"""Graphviz DOT: the structure alone, for drawing elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.network.network import Network


def write_dot(network: Network, path: Path) -> None:
    """Write the structure of a network as a DOT digraph."""
    path.write_text(dot_text(network), encoding="utf-8")


def dot_text(network: Network) -> str:
    r"""Give the structure of a network as DOT.

    Examples
    --------
    >>> from anytimebn.network.network import Network
    >>> print(dot_text(Network.from_parents({"rain": [], "wet grass": ["rain"]})))
    digraph network {
      node [shape=box, style=rounded];
      "rain";
      "wet grass";
      "rain" -> "wet grass";
    }
    <BLANKLINE>
    """
    lines = ["digraph network {", "  node [shape=box, style=rounded];"]
    lines += [f"  {_quoted(name)};" for name in network.names]
    lines += [f"  {_quoted(parent)} -> {_quoted(child)};" for parent, child in network.arcs]
    lines.append("}")
    return "\n".join(lines) + "\n"


def _quoted(name: str) -> str:
    # Backslashes are doubled because Graphviz reads escapes such as \n in labels.
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
