"""Explanations of consensus, of decisions by adjudicators, and of the checks that rest on either."""

from clinicnum.annotations.explanations.explanation import Explanation
from clinicnum.translatable_text import Translatable

CONSENSUS = (
    Explanation(
        "consensus",
        Translatable("Consensus"),
        Translatable(
            "What the labels of several people come to for each answer, by the rule that the table names. "
            "By majority, more than half of at least two must agree; by agreement or adjudication, three "
            "(two where each answer goes to two) must all agree, or an adjudicator decides. One person's "
            "label alone comes to nothing, and a tie stays open."
        ),
        "consensus.md",
    ),
    Explanation(
        "consensus_protocols",
        Translatable("Four rules for consensus"),
        Translatable(
            "How many answers come to a label under each of four rules, and how often that differs from the "
            "majority's. If the rules give much the same, the results do not hang on the choice."
        ),
        "consensus.md",
    ),
    Explanation(
        "dawid_skene",
        Translatable("Dawid and Skene's model"),
        Translatable(
            "A statistical model that estimates, from the labels alone, how probable each label is and how "
            "reliable each annotator is. Its probabilities tend to be too sure, so read them as an order. "
            "It cannot notice a mistake that all annotators share."
        ),
        "consensus.md",
        "Dawid and Skene (1979)",
    ),
    Explanation(
        "adjudication",
        Translatable("Decisions of adjudicators"),
        Translatable(
            "Answers go to an adjudicator where judgements differ on item, response or class, or differ far "
            "enough on severity. By agreement or adjudication, the decision then counts for item, response "
            "and class; severity has a rule of its own. A decision cites the judgements that it settles."
        ),
        "adjudication.md",
    ),
    Explanation(
        "scorer",
        Translatable("Can the automatic score be trusted?"),
        Translatable(
            "The automatic score beside people's first judgements, which most studies ask for before they "
            "show it. Sensitivity: of the real failures, the share that is scored wrong. Specificity: of the "
            "acceptable answers, the share that is scored right. Few answers that are scored right are "
            "judged, so one missed failure among them stands for many, and the interval is wide. It speaks "
            "of all answers of these runs."
        ),
        "report.md",
        "Jeffreys's limits, carried through by MOVER-R",
    ),
    Explanation(
        "scorer_counts",
        Translatable("Scores beside the consensus"),
        Translatable(
            "How many judged answers with each automatic score come to which consensus on the response. "
            "Last judgements count here, in most studies made with the score in sight. These are counts of "
            "what was judged, and no shares of all answers."
        ),
        "report.md",
    ),
    Explanation(
        "suggestions",
        Translatable("What suggestions do to labels"),
        Translatable(
            "Chance decides for which items annotators see suggested causes. The table compares labels, "
            "agreement and time with and without them. More agreement with suggestions can mean that people "
            "follow the suggestion, not that they are right."
        ),
        "suggestions.md",
        "Difference by the delete-one-subject jackknife",
    ),
    Explanation(
        "contests",
        Translatable("Contested questions"),
        Translatable(
            "Annotators can say that a question or its right answer is wrong; an adjudicator upholds or "
            "rejects that. An upheld contest takes the question out of every model's accuracy; no answer is "
            "scored anew. A decision on an answer, even one on its item, decides no contest."
        ),
        "adjudication.md",
    ),
    Explanation(
        "template_health",
        Translatable("Are the questions sound?"),
        Translatable(
            "For each kind of question, how often models are right, and how many judged answers and "
            "contests put the question or its right answer in doubt. A kind that every model gets right, or "
            "none, tells models apart no better than no question."
        ),
        "bank.md",
    ),
    Explanation(
        "custom_fields",
        Translatable("What this study asked besides"),
        Translatable(
            "Answers to the questions that this study added to the form, counted as given. How far people "
            "agree on them stands under agreement."
        ),
        "custom-fields.md",
    ),
    Explanation(
        "grras",
        Translatable("Reporting items"),
        Translatable(
            "The items of a reporting guideline for studies of reliability and agreement, filled in as far "
            "as the data can. What only the authors know is marked as missing."
        ),
        "report.md",
        "Kottner et al. (2011), J Clin Epidemiol 64(1):96-106",
    ),
    Explanation(
        "unsaid",
        Translatable("What this study cannot say"),
        Translatable(
            "What this report lacks, each with the reason. "
            "Read it before you read an absent figure as a zero."
        ),
        "report.md",
    ),
    Explanation(
        "provenance",
        Translatable("Where the figures come from"),
        Translatable(
            "How many of what this report rests on, with versions, settings and hashes. Two reports with "
            "the same hashes are of the same questions and answers, though perhaps of another sample of "
            "them; scores and labels have no hash here."
        ),
        "exports.md",
    ),
)
