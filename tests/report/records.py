# SPDX-License-Identifier: MIT
"""Runs to report on, made of nothing but numbers: no agent ran for them."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from m4bench.model.outcome import rule_of
from m4bench.model.run import (
    Artefact,
    Cell,
    ModelFacts,
    Outcome,
    Publishability,
    RunIdentity,
    RunRecord,
)
from m4bench.model.score import Check, ColumnScore, KeyScore, Score, StrictResult
from m4bench.model.trace import Activity
from m4bench.model.usage import Tokens, Usage

Rates = dict[str, float]
OUTPUT = b"stay_id\n"
OUTPUT_FILE = Artefact(
    name="output.csv", bytes=len(OUTPUT), sha256=hashlib.sha256(OUTPUT).hexdigest()
)


def build_keys(reference: int, matched: int, extra: int = 0, duplicate: int = 0) -> KeyScore:
    """Return key metrics from counts of distinct keys, by their definitions."""
    output = matched + extra
    precision = matched / output if output else 0.0
    recall = matched / reference
    both = precision + recall
    return KeyScore(
        reference=reference,
        output=output,
        matched=matched,
        missing=reference - matched,
        extra=extra,
        duplicate=duplicate,
        unreadable=0,
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / both if both else 0.0,
    )


def build_score(
    task: str,
    rates: Rates,
    *,
    dataset: str = "synthetic",
    reference: int = 300,
    matched: int = 300,
    extra: int = 0,
    threshold: float = 0.9,
    error: str | None = None,
    notes: Sequence[str] = (),
    nmae: float | None = 0.1,
    absent: Sequence[str] = (),
) -> Score:
    """Return a score whose columns have the match rates nearest to the given that whole rows can make.

    With an error no row matches: nothing was compared.
    """
    if error is not None:
        rates, matched, extra = dict.fromkeys(rates, 0.0), 0, 0
    rows = {name: round(rate * (reference + extra)) for name, rate in rates.items()}
    total = reference + extra
    rates = {name: count / total for name, count in rows.items()}
    checks = [
        Check(name="output_exists", passed=error is None, value=None, threshold=None),
        Check(
            name="row_coverage",
            passed=matched / reference >= threshold,
            value=matched / reference,
            threshold=threshold,
        ),
        *(
            Check(
                name=f"accuracy:{name}", passed=rate >= threshold, value=rate, threshold=threshold
            )
            for name, rate in rates.items()
        ),
    ]
    return Score(
        task=task,
        dataset=dataset,
        convention="published",
        reward=0.0 if error else sum(rates.values()) / len(rates),
        columns={
            name: ColumnScore(
                match_rate=rate,
                matched=rows[name],
                total=total,
                kind="numeric",
                tolerance=0.01 if name.startswith("uo") else 0.0,
                present=name not in absent,
                mismatched=matched - rows[name],
                unreadable=0,
                missing_rows=reference - matched,
            )
            for name, rate in rates.items()
        },
        keys=build_keys(reference, matched, extra),
        ordered_nmae=nmae,
        strict=StrictResult(
            passed=error is None and all(check.passed for check in checks), checks=tuple(checks)
        ),
        error=error,
        notes=tuple(notes),
    )


def build_run(
    task: str = "mimic-sofa-24h",
    agent: str = "solver",
    *,
    trial: int = 1,
    model: str | None = None,
    effort: str | None = None,
    condition: str = "no-skill",
    schema: str = "native",
    dataset: str = "synthetic",
    access: str = "synthetic",
    sandbox: str = "bwrap",
    drops: str = "strict",
    state: str = "completed",
    reason: str | None = None,
    score: Score | None = None,
    rates: Rates | None = None,
    reasons: Sequence[str] = (),
    version: str = "1.1",
    agent_version: str = "1.0",
    options: dict[str, str] | None = None,
    engine: str = "duckdb 1.5.6",
    reference_hash: str = "b" * 64,
    dataset_hash: str = "a1b2c3d4" + "0" * 56,
    seconds: float = 12.3,
    release: str | None = None,
    modified: bool = False,
    gateway: ModelFacts | None = None,
    usage: Usage | None = None,
    activity: Activity | None = None,
) -> RunRecord:
    """Return the record of a run; without a score and rates one is built that matches three rows in four."""
    if score is None and rule_of(state).valid:
        failed = state != "completed"
        score = build_score(
            task,
            rates or {"sofa": 0.75, "renal": 0.75},
            dataset=dataset,
            matched=0 if failed else 300,
            error=(reason or state) if failed else None,
            nmae=None if failed else 0.1,
        )
    if not rule_of(state).valid and state != "unscored":
        reasons = (*reasons, "the infrastructure failed")
    cell = Cell(
        task=task,
        condition=condition,
        schema=schema,
        drops=drops,
        convention="published",
        dataset=dataset,
        agent=agent,
        model=model,
        effort=effort,
        sandbox=sandbox,
        trial=trial,
    )
    identity = RunIdentity(
        cell=cell,
        task_version=version,
        dataset_hash=dataset_hash,
        agent_version=agent_version,
        agent_options=options or {},
        runtime="9f" * 32,
    ).digest()
    started = datetime(2026, 11, 29, 9, 0, tzinfo=UTC)
    return RunRecord(
        run_id=f"{hashlib.sha256(task.encode()).hexdigest()[:6]}__t{trial}__{identity[:12]}",
        identity=identity,
        cell=cell,
        task_version=version,
        dataset_hash=dataset_hash,
        access=access,
        release=release,
        modified=modified,
        reference_hash=reference_hash,
        agent_version=agent_version,
        agent_options=options or {},
        runtime="9f" * 32,
        engine=engine,
        m4bench="0.1.0",
        started=started,
        finished=started + timedelta(seconds=seconds),
        setup_seconds=0.2,
        setup_bytes=20480,
        outcome=Outcome(state=state, reason=reason, exit_code=0, seconds=seconds),
        score=score,
        publishability=Publishability(publishable=not reasons, reasons=tuple(reasons)),
        usage=usage,
        model=gateway,
        activity=activity,
        artefacts=(OUTPUT_FILE,) if state in ("completed", "unscored") else (),
    )


def write_runs(folder: Path, runs: Sequence[RunRecord]) -> Path:
    """Write run folders as a harness leaves them and return the results folder."""
    for run in runs:
        place = folder / run.run_id
        place.mkdir(parents=True)
        (place / "instruction.md").write_text("card\n")
        if OUTPUT_FILE in run.artefacts:
            (place / OUTPUT_FILE.name).write_bytes(OUTPUT)
        (place / "run.json").write_text(run.model_dump_json())
    return folder


def with_files(run: RunRecord, files: Mapping[str, bytes]) -> RunRecord:
    """Return the record of a run that left these files."""
    artefacts = tuple(
        Artefact(name=name, bytes=len(content), sha256=hashlib.sha256(content).hexdigest())
        for name, content in files.items()
    )
    return run.model_copy(update={"artefacts": artefacts})


COLUMNS = {
    "mimic-sofa-24h": [
        "sofa",
        "respiration",
        "coagulation",
        "liver",
        "cardiovascular",
        "cns",
        "renal",
    ],
    "mimic-sofa-24h-raw": [
        "sofa",
        "respiration",
        "coagulation",
        "liver",
        "cardiovascular",
        "cns",
        "renal",
    ],
    "mimic-urine-output-rate": [
        "weight",
        "uo",
        "urineoutput_6hr",
        "urineoutput_12hr",
        "uo_mlkghr_6hr",
        "uo_tm_6hr",
    ],
    "mimic-urine-output-rate-raw": [
        "weight",
        "uo",
        "urineoutput_6hr",
        "urineoutput_12hr",
        "uo_mlkghr_6hr",
        "uo_tm_6hr",
    ],
    "mimic-meld-24h": ["meld"],
    "mimic-meld-24h-raw": ["meld"],
    "mimic-gcs-24h-raw": ["gcs_min", "gcs_motor", "gcs_verbal", "gcs_eyes"],
    "mimic-charlson-raw": ["charlson_comorbidity_index", "age_score", "renal_disease", "dementia"],
}


WAY = ModelFacts(
    endpoint="openai",
    protocol="responses",
    permitted_by="synthetic data: nobody's rows",
    models=("gpt-5.4-mini",),
    models_answered=("gpt-5.4-mini-2026-03-17",),
)


def build_study() -> list[RunRecord]:
    """Return a small study: three baselines and an agent of two models with failures, on eight tasks."""
    runs = []
    not_for_publication = ["a baseline is no measured agent"]
    for place, (task, columns) in enumerate(COLUMNS.items()):
        reference = 8912 if "urine" in task else 300
        perfect = build_score(
            task, dict.fromkeys(columns, 1.0), reference=reference, matched=reference, nmae=0.0
        )
        runs.append(
            build_run(task, "reference", score=perfect, reasons=not_for_publication, seconds=0.8)
        )
        naive = build_score(
            task,
            {name: 0.55 + 0.06 * ((place + 2 * n) % 7) for n, name in enumerate(columns)},
            reference=reference,
            matched=reference - 3 * place,
            extra=place,
            nmae=0.08,
        )
        runs.append(build_run(task, "naive", score=naive, reasons=not_for_publication, seconds=1.9))
        runs.append(
            build_run(
                task,
                "empty",
                score=build_score(
                    task,
                    dict.fromkeys(columns, 0.0),
                    reference=reference,
                    matched=0,
                    nmae=None,
                    error="the output holds no rows",
                ),
                reasons=not_for_publication,
                seconds=0.1,
            )
        )
        for trial in (1, 2):
            rates = {
                name: min(1.0, 0.82 + 0.03 * ((place + n + trial) % 7))
                for n, name in enumerate(columns)
            }
            if place == 2 and trial == 2:
                runs.append(
                    build_run(
                        task,
                        "command",
                        trial=trial,
                        model="gpt-5.4-mini",
                        state="timeout",
                        reason="exceeded 1800 s",
                        seconds=1800.0,
                    )
                )
                continue
            if place == 5 and trial == 1:
                runs.append(
                    build_run(
                        task,
                        "command",
                        trial=trial,
                        model="gpt-5.4-mini",
                        state="infrastructure",
                        reason="sandbox did not start",
                        seconds=0.0,
                    )
                )
                continue
            runs.append(
                build_run(
                    task,
                    "command",
                    trial=trial,
                    model="gpt-5.4-mini",
                    seconds=231.0,
                    gateway=WAY,
                    usage=Usage(requests=9, tokens=Tokens(input=45_000, output=1_200)),
                    activity=Activity(tool_calls=8, commands=7),
                    score=build_score(
                        task,
                        rates,
                        reference=reference,
                        matched=reference,
                        nmae=0.03,
                        notes=["ignored 1 extra column"] if place == 0 else [],
                    ),
                )
            )
    return runs
