"""What a claims study found, in sentences and key figures."""

from collections.abc import Collection, Iterable, Iterator

from clinicnum.annotations.claims.verdict_shares import Measure, differences, model_figure
from clinicnum.annotations.guideline import MAJOR_HARM
from clinicnum.annotations.report.checked_claims import CheckedClaims
from clinicnum.annotations.report.report_content import Finding, KeyFigure
from clinicnum.annotations.report.sections.judged_answers import FINISH, cut_off_by_run
from clinicnum.annotations.report.sections.share_cells import ends
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.interval_estimate import Figure
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.rounded_figures import percent

MOST_MODELS = 3
_SAID: tuple[tuple[Measure, str], ...] = (
    ("contradicted", "of the sentences of {name} are contradicted by the item's text"),
    ("omitted", "of the sentences of references are omitted by {name}"),
    (
        "major_harm",
        "of the answers of {name} have a sentence, or omit one of the reference, with major harm ({major}; "
        "mean of the annotators)",
    ),
)


def claims_findings(view: StudyView) -> Iterator[Finding]:
    """The models with the most contradicted sentences, and differences whose interval leaves out 0."""
    models = CheckedClaims(view).models
    figures = {name: model_figure(answers, "contradicted") for name, answers in models.items()}
    cut_off = cut_off_by_run(view)
    major = MAJOR_HARM if view.tables.harm_defined else "by the guideline"
    worst = sorted(figures, key=lambda name: (-(figures[name].value or 0.0), name))[:MOST_MODELS]
    for name in worst:
        for measure, words in _SAID:
            figure = model_figure(models[name], measure)
            if figure.value is not None:
                cut, of = cut_off[name]
                was = "was" if cut == 1 else "were"
                why = f"; {cut} of its {how_many(of, 'answer')} {was} cut off ({FINISH})" * (
                    measure == "omitted" and cut > 0
                )
                said = f"{_percent(figure)} {words.format(name=name, major=major)}{why}."
                yield Finding(topic="Claims", text=said, table="claims_models", holds_labels=True)
    for one in differences(models, "supported"):
        limits = ends(one.figure.interval)
        if one.figure.value is not None and limits is not None and limits[0] * limits[1] > 0:
            first, second = (one.one, one.other) if one.figure.value > 0 else (one.other, one.one)
            low, high = sorted(map(abs, limits))
            yield Finding(
                topic="Differences",
                text=f"Of the sentences of {first}, {percent(abs(one.figure.value))} percentage points more "
                f"are supported than of {second} (95 % interval {percent(low)} to {percent(high)}), on "
                f"{how_many(one.figure.n, 'item')} that both answered.",
                table="claims_differences",
                holds_labels=True,
            )


def _percent(figure: Figure) -> str:
    limits = ends(figure.interval)
    span = f" (95 % interval {percent(limits[0])} to {percent(limits[1])})" if limits else ""
    return f"{percent(figure.value or 0.0)} %{span}"


def _not_apart(best: str, models: Iterable[str], apart: Collection[frozenset[str]]) -> str:
    """The models that cannot be told from the best, after a semicolon; empty without any."""
    others = sorted(one for one in models if one != best and frozenset((best, one)) not in apart)
    return f"; not told apart from {', '.join(others)}" if others else ""


def claims_key_figures(view: StudyView) -> tuple[KeyFigure, ...]:
    """How many judgements there are, and the model with the largest share of supported sentences."""
    found = CheckedClaims(view)
    mark = "simulated: " if "simulated" in view.annotator_kind else ""
    figures = [
        KeyFigure(
            label=f"{mark}Answers checked",
            value=str(found.answers),
            note=f"{how_many(found.judgements, 'judgement')}",
            table="claims_models",
        )
    ]
    shares = {name: model_figure(answers, "supported") for name, answers in found.models.items()}
    apart = {
        frozenset((one.one, one.other))
        for one in differences(found.models, "supported")
        if (limits := ends(one.figure.interval)) is not None and limits[0] * limits[1] > 0
    }
    best = max(shares, key=lambda name: (shares[name].value or 0.0, name), default=None)
    if best is not None and shares[best].value is not None:
        figures.append(
            KeyFigure(
                label=f"{mark}Most supported",
                value=best,
                note=f"{_percent(shares[best])} of its sentences{_not_apart(best, shares, apart)}",
                table="claims_models",
            )
        )
    return tuple(figures)
