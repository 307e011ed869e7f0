# SPDX-License-Identifier: MIT
"""`m4bench concepts show NAME --lineage`: what a concept is built from, and what is built from it."""

import json

from typer.testing import CliRunner

from m4bench.cli.concepts import app


def shown(*arguments: str) -> str:
    """Return what the command prints."""
    done = CliRunner().invoke(app, ["show", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_inputs_stand_below_what_reads_them() -> None:
    """Each level is indented; a concept that stands above is named again and not repeated; users come last."""
    lines = shown("meld", "--lineage").splitlines()
    first, last = lines.index("built from:"), lines.index("built from it:")
    up, down = lines[first:last], lines[last:]
    assert "  mimiciv_derived.first_day_lab" in up
    chemistry = up.index("    mimiciv_derived.chemistry")
    assert up[chemistry + 1] == "      mimiciv_hosp.labevents"
    assert "  mimiciv_icu.icustays" in up
    assert down[1:] == ["  references.meld-24h"]
    for name in ("sepsis3", "apsiii-24h"):
        concepts = [
            line.strip()
            for line in shown(name, "--lineage").splitlines()
            if line.startswith("  ") and "mimiciv_derived." in line and "(see above)" not in line
        ]
        assert len(concepts) == len(set(concepts)) > 3


def test_columns_are_named_with_how_they_are_taken_on_lines_of_any_length() -> None:
    """With --columns a line names carried, derived and governing columns, whole at any width."""
    lines = shown("first_day_gcs", "--lineage", "--columns").splitlines()
    (gcs,) = [line for line in lines if line.startswith("  mimiciv_derived.gcs: ")]
    assert gcs.startswith("  mimiciv_derived.gcs: carries gcs, gcs_eyes, gcs_motor, ")
    assert gcs.endswith("; governs charttime, stay_id")
    (sofa,) = [line for line in lines if line.startswith("  mimiciv_derived.first_day_sofa: ")]
    assert sofa.startswith("  mimiciv_derived.first_day_sofa: derives cns, sofa")


def test_what_nothing_is_built_from_is_said() -> None:
    """A concept without users says so."""
    assert "nothing is built from it" in shown("icp", "--lineage")


def test_json_has_both_directions_by_column() -> None:
    """JSON names, for everything upstream, its inputs by column, and every column downstream."""
    told = json.loads(shown("first_day_gcs", "--lineage", "--json"))
    upstream = told["upstream"]
    assert set(upstream) == {"mimiciv_derived.first_day_gcs", "mimiciv_derived.gcs"}
    assert upstream["mimiciv_derived.first_day_gcs"]["mimiciv_derived.gcs"]["gcs"] == "carries"
    sofa = told["downstream"]["references.sofa-24h"]
    assert {name for name, way in sofa.items() if way == "derives"} == {"cns", "sofa"}
    assert "upstream" not in json.loads(shown("first_day_gcs", "--json"))
