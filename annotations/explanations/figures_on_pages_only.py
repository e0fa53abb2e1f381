"""Explanations of figures that stand on pages only: progress, slices, items, benchmarks, releases."""

from clinicnum.annotations.explanations.explanation import Explanation
from clinicnum.translatable_text import Translatable

WORK_IN_PROGRESS = (
    Explanation(
        "study_progress",
        Translatable("Progress of studies"),
        Translatable(
            "Judgements: how many of those planned have been submitted, by all annotators together. Items "
            "filled: how many have as many judgements as planned. Due, contests and flags are what waits "
            "for somebody. These are counts of work and say nothing about results."
        ),
        "studies.md",
    ),
    Explanation(
        "annotator_progress",
        Translatable("Progress of annotators"),
        Translatable(
            "How many items each annotator has submitted, beside their share: the number if the work is "
            "divided evenly. A flag is a question to the adjudicators. The name in exports stands for the "
            "account in files that leave this server."
        ),
        "studies.md",
    ),
    Explanation(
        "training",
        Translatable("Training and threshold"),
        Translatable(
            "How many training items an annotator judged as the experts did, and how many it takes to go "
            "on. Training items count in no figure of the study."
        ),
        "studies.md",
    ),
    Explanation(
        "study_design",
        Translatable("Design of the study"),
        Translatable(
            "How the study was set up: which answers were drawn, how many people judge each, what they see "
            "and when. It is fixed once the study is open, and stands in the methods paragraph of its "
            "report."
        ),
        "studies.md",
    ),
    Explanation(
        "drawn_answers",
        Translatable("Answers that would be drawn"),
        Translatable(
            "How many answers of each kind there are, how many a study with these settings would draw, and "
            "the chance of each to be drawn. Figures of the report are weighted by that chance, so that "
            "they speak of all answers."
        ),
        "studies.md",
    ),
    Explanation(
        "own_work",
        Translatable("Your own work"),
        Translatable(
            "Your judgements so far. What others judged stays hidden until the study is closed, so that "
            "everybody judges independently."
        ),
        "studies.md",
    ),
    Explanation(
        "items",
        Translatable("Items of a study"),
        Translatable(
            "Each row is one answer of the study: how many people have judged it, whether they differ, and "
            "whether it waits for a decision. The list is for leading a study; figures of results are in "
            "its report."
        ),
        "studies.md",
    ),
    Explanation(
        "runs",
        Translatable("Runs and their accuracy"),
        Translatable(
            "A run is what one model answered to one benchmark, once. Accuracy is the share of answers that "
            "the automatic score calls right, with its 95 % interval: how far off it could be for other "
            "patients (other questions, where they are about no patient). Compare runs only on the same "
            "benchmark."
        ),
        "runs.md",
        "Wilson's interval with the effective sample size of the delete-one-subject jackknife",
    ),
    Explanation(
        "slice_accuracy",
        Translatable("Accuracy of what you have chosen"),
        Translatable(
            "The share of right answers among those that your filters leave, and how many points that "
            "differs from the other answers of the same runs. The interval holds for other patients (other "
            "questions, where they are about no patient) and, with five templates or more on either side, "
            "for other templates. Who looks at many slices "
            "finds some that differ by chance: what you find here is a lead, not a result."
        ),
        "explore.md",
        "Newcombe (1998), Stat Med 17:2635-2650; Zou and Donner (2008); Cameron, Gelbach and Miller (2011)",
    ),
    Explanation(
        "worst_slices",
        Translatable("Where it fails most"),
        Translatable(
            "Kinds of questions that are wrong clearly more often than the rest. They are searched for in "
            "half of the patients (of the questions, where they are about no patient) and tested on the "
            "other half, which the search has not seen; only what is confirmed there is listed. It holds for "
            "other patients (or such questions), these templates and these runs. It "
            "says where models fail, not why."
        ),
        "slices.md",
        "Search and test are described in the documentation; Holm (1979) for the number of slices",
    ),
    Explanation(
        "failure_map",
        Translatable("Map of failures"),
        Translatable(
            "The share of wrong answers for each pair of two properties. White is none; a dash means "
            "that nothing was asked. Cells with few answers jump by chance: the number of answers stands in "
            "each."
        ),
        "explore.md",
    ),
    Explanation(
        "answer_changes",
        Translatable("Changes between two runs"),
        Translatable(
            "Questions that both runs answered: how many were right before and are wrong now, and the other "
            "way round. If both numbers are large and similar, answers waver and the models are about "
            "equally good."
        ),
        "explore.md",
    ),
    Explanation(
        "answers",
        Translatable("The answers themselves"),
        Translatable(
            "Each row is one answer of a model with its automatic score. Status says whether it is right, "
            "wrong, unreadable, empty, cut off or declined. Click a row to see why it was scored so."
        ),
        "scoring.md",
    ),
    Explanation(
        "benchmarks",
        Translatable("Benchmarks"),
        Translatable(
            "A benchmark is a fixed set of questions with right answers (instances). The table counts "
            "questions and says of which kinds they are, and how many runs answered them. Figures of "
            "different benchmarks cannot be compared, as their questions differ."
        ),
        "benchmarks.md",
    ),
    Explanation(
        "variants_made",
        Translatable("Variants that were made"),
        Translatable(
            "For each kind of rewriting, of how many questions it was made, and of how many not and why. "
            "Some rewritings cannot be made of every question without changing what is asked."
        ),
        "variants.md",
    ),
    Explanation(
        "lint",
        Translatable("What the checks found"),
        Translatable(
            "Questions that break a rule, found by reading each text anew without the program that made it. "
            "Where the gold answer is called wrong, the records give another one; where it is called "
            "ambiguous, they allow more than one. Such questions make right answers look wrong."
        ),
        "lint.md",
    ),
    Explanation(
        "item_statistics",
        Translatable("Statistics of a template"),
        Translatable(
            "How many questions were made from this template, how often models answer them right, and how "
            "many were contested. Discrimination says whether models that are good elsewhere are better "
            "here, too: near 0 or below, the question measures something else. With few runs it is "
            "uncertain."
        ),
        "bank.md",
    ),
    Explanation(
        "rejected_candidates",
        Translatable("Candidates that were rejected"),
        Translatable(
            "How many questions that were tried on sample patients broke which rule, and so would not be "
            "asked. Many rejections are no fault by themselves: some patients simply have no records for "
            "this question."
        ),
        "templates.md",
    ),
    Explanation(
        "review_conditions",
        Translatable("What a review must meet"),
        Translatable(
            "The conditions under which a template counts as reviewed, and whether each is met: enough "
            "experts, their ratings, and their own answers to the examples. A template that misses one is "
            "not accepted."
        ),
        "review.md",
    ),
    Explanation(
        "bank_regression",
        Translatable("Effect on stored runs"),
        Translatable(
            "What models' accuracy would be if the bank were released as chosen: answers that are already "
            "stored are scored against the new right answers; no model is asked again. Removed questions "
            "leave the figure, reworded ones cannot be scored anew."
        ),
        "bank.md",
        "Wilson's interval with the effective sample size of the delete-one-subject jackknife",
    ),
    Explanation(
        "report_differences",
        Translatable("Differences between two reports"),
        Translatable(
            "Every figure that differs between two reports, cell by cell, and by how much. With the same "
            "study, a difference comes from what was labelled or decided in between, or from another "
            "version of the program."
        ),
        "report.md",
    ),
    Explanation(
        "similar_items",
        Translatable("Similar items of the benchmark"),
        Translatable(
            "Items that share at least half of their words with the draft: words that both have, as a share "
            "of the words that either has. Text, question and options count; numbers count as words. Shared "
            "words are no fault by themselves, but look whether one of these items asks the same already."
        ),
        "items.md",
        "Jaccard's coefficient on sets of words",
    ),
)
