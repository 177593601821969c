"""All subcommands, and the options that come before them."""

import os
from pathlib import Path
from typing import Annotated

import typer

from anytimebn.cli import (
    bootstrap,
    compare,
    effect,
    enumerate,
    evaluate,
    generate,
    impute,
    learn,
    listing,
    posterior,
    predict,
    query,
    resume,
    score,
    verify,
    watch,
)
from anytimebn.cli.ending import DEBUG_VARIABLE, reported
from anytimebn.cli.messages import LEVELS, start_log

EPILOG = (
    "Exit status: 0 done (for learn: a network was found, optimal or not); 2 bad input or usage; "
    "3 no network satisfies the constraints; 4 a limit or Ctrl-C ended the run before there was "
    "anything to write; 5 verification failed; 6 verification found nothing wrong, but optimality "
    "is claimed and was not proven again; 1 a bug in anytimebn."
)

application = typer.Typer(
    name="anytimebn",
    help="Learn optimal Bayesian networks from discrete data: anytime, and with proof.",
    epilog=EPILOG,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Help is plain text: drawing boxes would take longer than everything else at start.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

application.command("learn", epilog=EPILOG)(reported(learn.learn))
application.command(
    "resume", epilog=EPILOG, short_help="Go on with a run that was killed, or ended by a limit."
)(reported(resume.resume))
application.command(
    "score", epilog=EPILOG, short_help="Compute the parent sets that can be optimal."
)(reported(score.score))
application.command(
    "verify", epilog=EPILOG, short_help="Check independently what a result claims."
)(reported(verify.verify))
application.command(
    "bootstrap", epilog=EPILOG, short_help="Count how often arcs are found in resampled data."
)(reported(bootstrap.bootstrap))
application.command("query", epilog=EPILOG, short_help="Ask a network how probable values are.")(
    reported(query.query)
)
application.command(
    "predict", epilog=EPILOG, short_help="Predict a variable in every row of a table."
)(reported(predict.predict))
application.command("impute", epilog=EPILOG, short_help="Fill the missing cells of a table.")(
    reported(impute.impute)
)
application.command(
    "effect", epilog=EPILOG, short_help="Tell what setting a variable would do to another."
)(reported(effect.effect))
application.command(
    "compare", epilog=EPILOG, short_help="Tell what is different between two networks."
)(reported(compare.compare))
application.command(
    "posterior", epilog=EPILOG, short_help="Compute the exact probability of every arc."
)(reported(posterior.posterior))
application.command(
    "enumerate", epilog=EPILOG, short_help="List every network within a factor of the best."
)(reported(enumerate.enumerate_networks))
application.command(
    "watch", epilog=EPILOG, short_help="Show a result, a checkpoint or a study in a browser."
)(reported(watch.watch))
application.command("generate", epilog=EPILOG)(reported(generate.generate))
application.command("list", epilog=EPILOG, short_help="List algorithms, heuristics or scores.")(
    reported(listing.list_choices)
)
application.add_typer(
    evaluate.application,
    name="evaluate",
    epilog=EPILOG,
    short_help="Compare anytime algorithms in a study.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from anytimebn import __version__

        typer.echo(f"anytimebn {__version__}")
        raise typer.Exit


@application.callback()
def _before_any_command(
    version: Annotated[  # noqa: ARG001  the callback has done it
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help=f"Show tracebacks, as {DEBUG_VARIABLE}=1 does.")
    ] = False,
    log: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(LEVELS), help="Report on standard error what is being done, and why."
        ),
    ] = None,
    log_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Append the log to a file instead.", show_default=False),
    ] = None,
) -> None:
    if debug:
        os.environ[DEBUG_VARIABLE] = "1"
    reported(start_log, prepares=True)(log, log_file)
