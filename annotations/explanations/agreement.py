"""Explanations of agreement between annotators, and of each annotator."""

from clinicnum.annotations.explanations.explanation import Explanation
from clinicnum.translatable_text import Translatable

_ALPHA = "Krippendorff (2011), Computing Krippendorff's Alpha-Reliability"
_COEFFICIENTS = "explanation/coefficients.md"

AGREEMENT = (
    Explanation(
        "agreement",
        Translatable("Agreement"),
        Translatable(
            "How far annotators say the same of the same answer. Percent agreement is how often two of them "
            "agree; Krippendorff's alpha takes off what would happen by chance: 1 is perfect, 0 is what "
            "chance gives. The interval holds for other items (other patients, where items share them) "
            "judged by these annotators, not for other annotators. Where nearly all labels are alike, alpha "
            "is near 0 although people hardly differ: look at Gwet's AC1 beside it."
        ),
        _COEFFICIENTS,
        _ALPHA,
    ),
    Explanation(
        "coefficients",
        Translatable("Every coefficient of agreement"),
        Translatable(
            "The same labels through every usual coefficient. They differ in what they call chance, so they "
            "differ most where one label is far more frequent than the others. Choose one before you look, "
            "alpha if you have no reason for another, and report percent agreement beside it."
        ),
        _COEFFICIENTS,
        "Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed.; Krippendorff (2011)",
    ),
    Explanation(
        "agreement_population",
        Translatable("Labels that the coefficients describe"),
        Translatable(
            "Of which labels agreement is computed: how many items, annotators and pairs, by which rule, "
            "and what was left out and why. Training and control items, blind repeats, and labels given "
            "with a suggestion in sight do not count."
        ),
        "agreement.md",
    ),
    Explanation(
        "agreement_weighted",
        Translatable("Agreement for all answers"),
        Translatable(
            "The same coefficients with each item weighted by how rarely its kind was drawn: they speak of "
            "all answers from which the sample was drawn, not of the sample. They can differ much from the "
            "others where few right answers were judged, and are less certain."
        ),
        "agreement.md",
    ),
    Explanation(
        "agreement_intervals",
        Translatable("Other intervals for the same agreement"),
        Translatable(
            "The same value with its interval computed in other ways: with subjects drawn anew, or with "
            "templates left out in place of subjects. If they are much wider than the interval of record, "
            "the figure hangs on a few subjects or templates."
        ),
        "agreement.md",
    ),
    Explanation(
        "agreement_pairs",
        Translatable("Pairs of annotators"),
        Translatable(
            "Agreement of each two annotators on the items that both labelled. One person whose pairs are "
            "all low reads the guideline differently from the others, rightly or wrongly. Pairs with few "
            "common items say little."
        ),
        "agreement.md",
        _ALPHA,
    ),
    Explanation(
        "agreement_words",
        Translatable("Words for the size of agreement"),
        Translatable(
            "Words such as “moderate” that published scales give to a value. The steps are conventions and "
            "have no deeper reason; give the value and its interval, and the word only beside them."
        ),
        "agreement.md",
        "Landis and Koch (1977), Biometrics 33:159-174; Gwet (2014)",
    ),
    Explanation(
        "precision",
        Translatable("Is it precise enough?"),
        Translatable(
            "How wide the 95 % interval of agreement is now, beside the width that is usually wanted (0.05 "
            "to either side), and about how many more items that would take. The number of items comes from "
            "simulations of studies like this one, so read it as an order of magnitude."
        ),
        "consensus.md",
    ),
    Explanation(
        "confusion",
        Translatable("Which labels are confused"),
        Translatable(
            "Pairs of labels that two annotators gave the same item. On the diagonal both chose the same; a "
            "large number elsewhere names two labels that people do not tell apart, which the guideline "
            "should."
        ),
        "agreement.md",
    ),
    Explanation(
        "blind",
        Translatable("What seeing the gold answer changed"),
        Translatable(
            "Where a study hides the right answer and the score at first, annotators judge each answer "
            "before they see them, and once more after. The table compares the first judgement with the "
            "last. Many changes towards the score mean that people rely on it, or that the question is hard "
            "to judge unaided."
        ),
        "report.md",
    ),
    Explanation(
        "against_others",
        Translatable("Each annotator beside the others"),
        Translatable(
            "How often an annotator says what more than half of at least two others say of the same answer; "
            "the own label has no vote in it. A low share is a reason to talk, not a verdict: the others "
            "may share a mistake."
        ),
        "consensus.md",
    ),
    Explanation(
        "annotator_confusion",
        Translatable("Each annotator's classes where the others agree"),
        Translatable(
            "What an annotator called the answers to which more than half of at least two others gave the "
            "same class. Rows in which the two classes differ name a class that this annotator sees "
            "otherwise than the others; who is right, the table does not say."
        ),
        "consensus.md",
    ),
    Explanation(
        "annotator_time",
        Translatable("Time per judgement"),
        Translatable(
            "How long judgements took, counting only time in which the page was in front and in use; a "
            "script sets its own. Very short times may mean that records were not read; the first items are "
            "often slower."
        ),
        "consensus.md",
    ),
    Explanation(
        "drift",
        Translatable("Change over the study"),
        Translatable(
            "How an annotator's judgements, agreement with the others, and time change from their first item "
            "to their last, as a straight line. Items come in blocks, the same for everybody and in another "
            "order within each: harder items in late blocks can cause a change, too. It takes at least ten "
            "judgements."
        ),
        "consensus.md",
    ),
    Explanation(
        "course",
        Translatable("Agreement in the course of the study"),
        Translatable(
            "Agreement in each part of the study, in the order in which items were finished. Rising means "
            "that people grew together. A single part has few items, so read the course and not one figure."
        ),
        "agreement.md",
    ),
    Explanation(
        "repeats",
        Translatable("Annotators against themselves"),
        Translatable(
            "Some answers come a second time without notice: how often the same person says the same again. "
            "Nobody can be expected to agree with others more than with themselves."
        ),
        "consensus.md",
        _ALPHA,
    ),
    Explanation(
        "disputed",
        Translatable("Most disputed items"),
        Translatable(
            "Items on which most pairs of annotators differ. They are the ones to talk about; often the "
            "question or the guideline can be read in two ways."
        ),
        "agreement.md",
    ),
    Explanation(
        "controls",
        Translatable("Control items"),
        Translatable(
            "Items whose labels experts fixed beforehand, mixed in without notice: how often each annotator "
            "gives these labels. There are few of them, so intervals are wide; the figure finds who has "
            "misunderstood the task, and ranks nobody."
        ),
        "studies.md",
    ),
    Explanation(
        "planner",
        Translatable("What a next study would take"),
        Translatable(
            "How many answers and annotators it takes for an interval of the wanted width, by simulating "
            "studies in which people label as they did in this one. It holds if the next study has similar "
            "items and people."
        ),
        "consensus.md",
        "Simulation; see the documentation",
    ),
)
