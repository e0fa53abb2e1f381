"""Explanations of failures: how many, of which class, how harmful."""

from clinicnum.annotations.explanations.explanation import Explanation
from clinicnum.translatable_text import Translatable

_HARM = "Dean and Barber (1999), Am J Health Syst Pharm 56:57-62; limits by MOVER, Zou and Donner (2008)"

FAILURES = (
    Explanation(
        "failures_found",
        Translatable("Failures"),
        Translatable(
            "How many of the judged answers are a failure by the rule of consensus that the report names; "
            "below its table of the consensus stands how many annotators must agree. One person's label "
            "alone counts no failure. The number is of the judged answers: where not all had the same "
            "chance of being drawn, the share among them is not that of all answers."
        ),
        "consensus.md",
    ),
    Explanation(
        "failure_shares",
        Translatable("What the failures are"),
        Translatable(
            "Of all failures of these runs, the share of each class of error. Each judged answer is "
            "weighted by how rarely its kind was drawn, so the share speaks of all answers and not of the "
            "sample alone. Intervals hold for other subjects with this taxonomy and these annotators; "
            "where only a part of the answers scored right was judged, they allow for failures among the "
            "others."
        ),
        "report.md",
        "Jeffreys's limits with the effective sample size, combined by MOVER-R",
    ),
    Explanation(
        "failure_classes",
        Translatable("Classes of failure by model or kind of question"),
        Translatable(
            "How the failures of each model, or of each kind of question, divide into classes of error. "
            "The shares of one model, or of one kind, add up to all of its failures, so a model with few "
            "failures can have a large share of one class. Shares of few failures say little."
        ),
        "report.md",
    ),
    Explanation(
        "harm",
        Translatable("Failures weighted by their harm"),
        Translatable(
            "Failures per 100 answers, each counted by its severity: 0, 0.25, 0.5, 0.75 and 1 for "
            "severity 0 to 4. It speaks of all answers of the run, also of those that nobody judged: the "
            "interval is wide where few answers with a right score were looked at. Equal steps between "
            "levels are a convention, so look at the counts by severity, too."
        ),
        "report.md",
        _HARM,
    ),
    Explanation(
        "severity",
        Translatable("Severity of failures"),
        Translatable(
            "How many failures have each level of severity, and how few items hold the severe ones. Where "
            "annotators gave different levels, the median counts, of two the graver; where they are 2 or "
            "more apart, an adjudicator decides. A severe error that the model states with confidence is the "
            "kind that a reader is least likely to notice."
        ),
        "report.md",
    ),
    Explanation(
        "label_counts",
        Translatable("How often each label was given"),
        Translatable(
            "How often annotators, or the consensus, chose each class and code. Counts are of what was "
            "judged; the weighted columns speak of all answers from which these were drawn. Labels are "
            "people's opinions of the cause; how far they agree stands under agreement."
        ),
        "taxonomy.md",
    ),
    Explanation(
        "signatures",
        Translatable("Patterns of failure"),
        Translatable(
            "Shares, each beside a threshold that is a rule of thumb from a published analysis. A "
            "pattern is reported only where the whole 95 % interval lies beyond its threshold. It says what "
            "to look at first, and is no result to cite."
        ),
        "report.md",
        "Thresholds after the MedBench analysis, arXiv 2503.07306",
    ),
    Explanation(
        "advice_stages",
        Translatable("Stages of advice"),
        Translatable(
            "Four stages of improving a model, in the order of a published analysis, and how far each model "
            "is from the threshold of each. The stages are theirs; which measure speaks for which stage is "
            "our choice."
        ),
        "report.md",
        "MedBench analysis, arXiv 2503.07306",
    ),
    Explanation(
        "examples",
        Translatable("Worked examples"),
        Translatable(
            "The first failure of each class: the question, with the records if it has any, the model's "
            "answer, and what each annotator said. They show what a class looks like, and say nothing about "
            "how frequent it is."
        ),
        "report.md",
    ),
    Explanation(
        "failure_groups",
        Translatable("Groups of similar failures"),
        Translatable(
            "Labelled failures of closed studies, put into groups of failures that resemble each other. The "
            "numbers count failures that people agreed on; they are counts of what was labelled, and no "
            "rates. A large group is a reason to write a new question."
        ),
        "bank.md",
    ),
)
