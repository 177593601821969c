"""``anytimebn effect``: what setting a variable would do to another."""

from typing import TYPE_CHECKING, Annotated

import typer

from anytimebn.base.errors import InputError
from anytimebn.cli import options
from anytimebn.cli.blocks import KNOWLEDGE, with_blocks

if TYPE_CHECKING:
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.network.effects import Effect

CAVEAT = (
    "this takes arcs for causes: it holds if the network is right, and if the table lacks no\n"
    "common cause of two of its variables"
)


@with_blocks(knowledge=KNOWLEDGE.without("parent_limit"))
def effect(
    network: options.NetworkFile,
    of: Annotated[str, typer.Option("--of", metavar="NAME", help="What is set from outside.")],
    on: Annotated[str, typer.Option("--on", metavar="NAME", help="What is looked at.")],
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="VALUE",
            help="Tell by how much this value changes the other on average.",
        ),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option("--base", metavar="VALUE", help="The value that --to is compared with."),
    ] = None,
    outcome: Annotated[
        str | None,
        typer.Option(
            "--outcome",
            metavar="VALUE",
            help="What changes: the probability of this value of the other.",
            show_default="its mean",
        ),
    ] = None,
    no_equivalence: Annotated[
        bool,
        typer.Option(
            "--no-equivalence",
            help="Take the arcs as they are, instead of all networks that data cannot tell from "
            "this one.",
        ),
    ] = False,
    *,
    knowledge: "Knowledge",
    memory_limit: options.MemoryLimit = None,
    output: options.AnswerFiles = None,
    quiet: options.Quiet = False,
) -> None:
    """Tell how a variable would change if another were set from outside, not just observed.

    Data leave the directions of some arcs open. The effect is told for each set of causes that some
    equivalent network gives to what is set; what you know about arcs leaves fewer of them.
    """
    from anytimebn.cli.answer_files import check_tables, write_tables
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.network.files.networks import read_network

    files = output or []
    check_tables(files, "an effect")
    known = None if knowledge == Knowledge() else knowledge
    if no_equivalence and known is not None:
        raise InputError(
            "with --no-equivalence the arcs are taken as they are, whatever is known about them: "
            "leave it out, or the knowledge"
        )
    if (to is None) != (base is None) or (outcome is not None and to is None):
        raise InputError(
            "a change is told between two values: give both --to and --base, such as --to yes "
            "--base no"
        )
    found = read_network(network).effect(
        of=of, on=on, equivalence=not no_equivalence, knowledge=known, memory_limit=memory_limit
    )
    words = [] if to is None else [_change(found, to, base, outcome)]
    if files:
        write_tables(found.to_arrow(), files)
    if quiet:
        return
    for line in (repr(found), *words, CAVEAT, *(f"wrote {path}" for path in files)):
        typer.echo(line)


def _change(found: "Effect", to: str, base: str | None, outcome: str | None) -> str:
    """Tell the average change, or the lowest and the highest that are possible."""
    try:
        low, high = found.change(to, base, outcome)
    except InputError as error:
        if outcome is None and "outcome=" in str(error):
            raise InputError(str(error).replace("outcome=", "--outcome ")) from None
        raise
    changes = f"P({found.on} = {outcome})" if outcome is not None else f"the mean of {found.on}"
    sizes = dict.fromkeys((f"{low:+.4f}", f"{high:+.4f}"))
    return f"{changes} changes by {' to '.join(sizes)} with {found.of} = {to} instead of {base}"
