"""Explanations of accuracy, of the figures shown beside it, and of differences in accuracy."""

from clinicnum.annotations.explanations.explanation import Explanation
from clinicnum.translatable_text import Translatable

_JACKKNIFE = "Wilson's interval with the effective sample size of the delete-one-subject jackknife"
_PAIRED = (
    "Where a test is made, exact sign flips of whole subjects, McNemar's exact test with one item a subject; "
    "Holm (1979)"
)

ACCURACY = (
    Explanation(
        "accuracy",
        Translatable("Accuracy"),
        Translatable(
            "The share of a model's answers that the automatic score calls right. Rewritten questions "
            "(variants) are left out, and so are questions whose right answer a typical mistake would give, "
            "too. The 95 % interval says how far off the figure could be for other patients (other "
            "questions, where they are about no patient) and, from five "
            "question templates on, for other templates of the same kind; it says nothing about other "
            "models or prompts. Read it beside what answering without reading would reach."
        ),
        "explanation/intervals.md",
        _JACKKNIFE,
    ),
    Explanation(
        "accuracy_by_kind",
        Translatable("Accuracy by kind of question"),
        Translatable(
            "The same share of right answers for one kind of question at a time: the step that it asks for, "
            "how the records are written, the template, or what kind of item its source says it is. Rows "
            "with few answers have wide intervals; two rows whose intervals overlap may be alike. A low row "
            "need not mean that this kind is hard as such: it may hold a few hard questions."
        ),
        "report.md",
        _JACKKNIFE,
    ),
    Explanation(
        "baselines",
        Translatable("Answers that need no reading"),
        Translatable(
            "What four simple rules would reach on the same questions: always the first record, always the "
            "last, always zero, always the most frequent right answer. Only what a model reaches beyond the "
            "best of them shows that it read the records."
        ),
        "explanation/golds.md",
    ),
    Explanation(
        "verdicts",
        Translatable("Three ways to score the same answer"),
        Translatable(
            "The same answers scored three times. Strict: right and in the form that was asked for. "
            "Lenient, the headline: right where the answer is marked as such, or is the only value in the "
            "text and plainly given as one. Flexible: right also where a wider automatic reading, which may "
            "err, finds it. A large gap between strict and lenient means that right answers are not in the "
            "form."
        ),
        "scoring.md",
    ),
    Explanation(
        "score_statuses",
        Translatable("How the answers were scored"),
        Translatable(
            "How many answers were right, wrong, not readable, empty, cut off or declined. Variants, and "
            "questions that a typical mistake answers right, are counted here, too. Read some of the "
            "unreadable and cut-off ones: the form or the length limit may be at fault."
        ),
        "scoring.md",
    ),
    Explanation(
        "answer_parts",
        Translatable("The answer, part by part"),
        Translatable(
            "Where an answer has several parts, how often each part is right. The parts are those of the "
            "benchmark that the items come from, or the answer points of the items. An answer can have all "
            "but one part right and still count as wrong as a whole."
        ),
        "report.md",
        _JACKKNIFE,
    ),
    Explanation(
        "representation_differences",
        Translatable("Differences between ways of writing the records"),
        Translatable(
            "The same question on the same records, once written in one way and once in another: how many "
            "percentage points more are right. It holds for other subjects with these templates. The "
            "corrected p takes into account how many such rows were looked at; under 0.05, chance alone is "
            "a poor explanation."
        ),
        "robustness.md",
        _PAIRED,
    ),
    Explanation(
        "model_differences",
        Translatable("Differences between models"),
        Translatable(
            "Two models on the questions that both answered: how many percentage points more the first has "
            "right. It holds for other subjects with these templates. The corrected p takes into account "
            "how many pairs were looked at; under 0.05, chance alone is a poor explanation. A large p does "
            "not say that two models are alike: look at how wide the interval is."
        ),
        "report.md",
        _PAIRED,
    ),
    Explanation(
        "leaderboard",
        Translatable("Models by accuracy"),
        Translatable(
            "Every run's share of right answers on one benchmark, the highest first. The order is that of "
            "the sample: runs need not have answered the same questions, and neighbours whose intervals "
            "overlap may stand the other way round with other subjects. Benchmarks are never pooled."
        ),
        "report.md",
        _JACKKNIFE,
    ),
    Explanation(
        "discordant",
        Translatable("Questions on which models differ"),
        Translatable(
            "Questions that some models answered right and others wrong, with one answer of either side. "
            "They are chosen because models split on them, so they show differences; they say nothing about "
            "how frequent these are."
        ),
        "report.md",
    ),
    Explanation(
        "paper_tables",
        Translatable("Tables as papers print them"),
        Translatable(
            "The same answers once more, in tables as published papers print them. Each table says below it "
            "what it counts. Intervals hold for other subjects; the more tables one looks through, the more "
            "differences appear by chance alone."
        ),
        "tables.md",
    ),
    Explanation(
        "flips",
        Translatable("Answers that change with the question's form"),
        Translatable(
            "Of the questions that a model answered right, how many it answers wrong after a change that "
            "leaves the right answer as it was, such as a typing error or a remark. The reverse is the "
            "share of wrong answers that become right: what merely wavers changes both ways, so look at how "
            "much larger the first is. It holds for other subjects with these templates."
        ),
        "robustness.md",
        _JACKKNIFE,
    ),
    Explanation(
        "variant_effects",
        Translatable("What changes to the question do"),
        Translatable(
            "Each question beside a rewritten twin: whether the model follows a change that moves the right "
            "answer, gives the same option in every order, says that a withheld value is not documented, or "
            "is misled by a remark. The table says which share of which pairs it counts. It holds for other "
            "subjects with these templates."
        ),
        "robustness.md",
        _PAIRED,
    ),
    Explanation(
        "calibration",
        Translatable("Can the model's confidence be believed?"),
        Translatable(
            "Whether answers that a model calls 80 % sure are right in 80 of 100 cases. The Brier score is "
            "the mean squared distance between confidence and outcome: 0 is perfect, and always saying 50 % "
            "gives 0.25. A slope under 1 means that confidences are too extreme; in the diagram, points "
            "under the diagonal are too sure. It holds for the questions of this benchmark."
        ),
        "robustness.md",
        "Van Calster et al. (2016)",
    ),
)
