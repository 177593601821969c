"""Make ``clinic.csv``: 2,000 invented visitors of an invented clinic.

The network below is made up for this example. It is built so that its arcs are strong enough to be
found again from the data, and so that its numbers are believable; it says nothing about medicine.
Run it from anywhere: ``python examples/make_clinic.py``.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from anytimebn.network.network import Network

ROWS = 2000
SEED = 20

# variable: (values, parents, one row of percentages for each combination of the parents' values,
# the last parent's value changing fastest)
CLINIC: dict[str, tuple[list[str], list[str], list[list[int]]]] = {
    "age": (["under 40", "40 to 64", "65 or more"], [], [[35, 40, 25]]),
    "smoking": (["never", "former", "daily"], ["age"], [[62, 8, 30], [42, 30, 28], [34, 52, 14]]),
    "diet": (["poor", "mixed", "good"], [], [[30, 45, 25]]),
    "exercise": (
        ["rarely", "weekly", "often"],
        ["age"],
        [[20, 40, 40], [38, 42, 20], [60, 30, 10]],
    ),
    "weight": (
        ["normal", "high", "very high"],
        ["diet", "exercise"],
        [
            *([10, 30, 60], [22, 46, 32], [45, 40, 15]),
            *([28, 47, 25], [50, 38, 12], [72, 23, 5]),
            *([52, 36, 12], [72, 23, 5], [90, 8, 2]),
        ],
    ),
    "blood_pressure": (
        ["normal", "raised"],
        ["age", "weight"],
        [
            *([95, 5], [84, 16], [62, 38]),
            *([84, 16], [60, 40], [34, 66]),
            *([58, 42], [34, 66], [14, 86]),
        ],
    ),
    "cholesterol": (
        ["normal", "raised"],
        ["diet", "weight"],
        [
            *([62, 38], [42, 58], [22, 78]),
            *([82, 18], [64, 36], [42, 58]),
            *([94, 6], [82, 18], [64, 36]),
        ],
    ),
    "diabetes": (["no", "yes"], ["weight"], [[97, 3], [89, 11], [66, 34]]),
    "blood_sugar": (["low", "normal", "high"], ["diabetes"], [[8, 86, 6], [6, 20, 74]]),
    "lung_disease": (["no", "yes"], ["smoking"], [[97, 3], [85, 15], [64, 36]]),
    "heart_disease": (
        ["no", "yes"],
        ["blood_pressure", "cholesterol"],
        [[98, 2], [84, 16], [80, 20], [46, 54]],
    ),
    "breathless": (
        ["no", "yes"],
        ["lung_disease", "heart_disease"],
        [[95, 5], [52, 48], [36, 64], [12, 88]],
    ),
    "chest_pain": (["no", "yes"], ["heart_disease"], [[93, 7], [38, 62]]),
    "ecg": (["normal", "unclear", "abnormal"], ["heart_disease"], [[87, 10, 3], [18, 24, 58]]),
    "referred_to": (
        ["home", "lung clinic", "heart clinic"],
        ["breathless", "ecg"],
        [
            *([95, 3, 2], [78, 4, 18], [10, 2, 88]),
            *([30, 64, 6], [14, 46, 40], [3, 7, 90]),
        ],
    ),
}


def clinic_network() -> Network:
    """Give the network of the clinic, with its probability tables."""
    structure = Network.from_parents(
        {name: parents for name, (_, parents, _) in CLINIC.items()},
        states={name: values for name, (values, _, _) in CLINIC.items()},
    )
    tables = []
    for name, (values, parents, percentages) in CLINIC.items():
        # The tables above follow the order of the network, which is that of the dictionary.
        assert tuple(parents) == structure.parents_of(name)
        shape = [len(CLINIC[parent][0]) for parent in parents]
        tables.append(np.array(percentages, dtype=np.float64).reshape(*shape, len(values)) / 100)
    return Network(structure.names, structure.parents, structure.states, tuple(tables))


def main() -> None:
    """Draw the visitors and write them beside this file."""
    data = clinic_network().sample(ROWS, SEED)
    path = Path(__file__).with_name("clinic.csv")
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(data.names)
        for codes in data.codes.T:
            writer.writerow([values[code] for values, code in zip(data.states, codes, strict=True)])


if __name__ == "__main__":
    main()
