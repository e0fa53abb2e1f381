"""Explanations of the figures of criteria, ratings, claims and pairwise studies."""

from clinicnum.annotations.explanations.explanation import Explanation
from clinicnum.translatable_text import Translatable

_ITEMS = "explanation/intervals.md"

KINDS_OF_STUDY = (
    Explanation(
        "criteria",
        Translatable("Scores by criteria"),
        Translatable(
            "The weights of the criteria that an answer meets, over all weights above 0, as a mean over a "
            "run's answers. An answer fails a must-have if it lacks it, or says what it must not. Where "
            "several people ticked, their mean counts. It holds for other subjects with this kind of "
            "question, judged by these annotators."
        ),
        "criteria.md",
        "Arora et al. (2025), HealthBench, arXiv:2505.08775",
    ),
    Explanation(
        "criteria_agreement",
        Translatable("How the criteria were ticked"),
        Translatable(
            "How often each criterion was met, and how far people agree on it. One that every answer meets, "
            "or none, does not tell answers apart; one on which people are split needs clearer words."
        ),
        "criteria.md",
    ),
    Explanation(
        "decided_answers",
        Translatable("Figures with adjudicators' decisions"),
        Translatable(
            "Where annotators differ on a criterion, a preference, a rating or a sentence, an adjudicator "
            "decides that question. With decisions, each annotator's answer to it counts as the decision; as "
            "judged, it counts as it was given. Agreement is never counted with decisions. The intervals do "
            "not cover that another adjudicator may decide otherwise."
        ),
        "adjudication.md",
    ),
    Explanation(
        "ratings_means",
        Translatable("Mean ratings"),
        Translatable(
            "The mean point that a model's answers got on each axis. Where several people rated an answer, "
            "their mean counts once. The interval holds for other subjects with this kind of question, "
            "rated by these annotators; other annotators may be stricter throughout."
        ),
        "ratings.md",
    ),
    Explanation(
        "ratings_points",
        Translatable("How often each point was given"),
        Translatable(
            "The share of ratings on each point of an axis. The same mean can come from everybody choosing "
            "the middle or from half choosing either end: look here before you compare means."
        ),
        "ratings.md",
    ),
    Explanation(
        "ratings_differences",
        Translatable("Differences in ratings between models"),
        Translatable(
            "Two models, or runs of one, on the items that were rated for both: how far the mean of the "
            "first lies above the second's. It holds for other subjects with this kind of question and these "
            "annotators, and is not corrected for how many rows there are."
        ),
        "ratings.md",
    ),
    Explanation(
        "ratings_agreement",
        Translatable("Agreement on ratings"),
        Translatable(
            "How far people give the same answer the same point, and near points rather than far ones; "
            "also, where answers came twice, how far the same person does. Means can be precise although "
            "people disagree."
        ),
        "ratings.md",
        "Krippendorff (2011); Gwet (2014)",
    ),
    Explanation(
        "claims",
        Translatable("Are sentences supported?"),
        Translatable(
            "Of all sentences of a model's answers, the share that the item's text supports, contradicts or "
            "does not address; of the reference's sentences, the share that the answer omits; and the share "
            "of answers with a fault of major harm. A model that says more can make more mistakes, which "
            "shares do not show. Intervals hold for other subjects, judged by these annotators."
        ),
        "claims.md",
        "of shares, Wilson's interval with the effective sample size of the delete-one-subject jackknife; of "
        "sentences per answer, that jackknife's",
    ),
    Explanation(
        "claims_differences",
        Translatable("Differences between models on sentences"),
        Translatable(
            "Two models, or runs of one, on the items that both answered: how many percentage points their "
            "shares of sentences, or of answers with major harm, differ. The interval holds for other "
            "subjects with this kind of question and these annotators."
        ),
        "claims.md",
    ),
    Explanation(
        "claims_agreement",
        Translatable("Agreement on sentences"),
        Translatable(
            "How far people give the same sentence the same verdict or, against themselves, the same person "
            "does. Low agreement makes the shares less certain than their intervals "
            "say, as these take the annotators as they are."
        ),
        "claims.md",
        "Krippendorff (2011); Gwet (2014)",
    ),
    Explanation(
        "strengths",
        Translatable("Strengths of the models"),
        Translatable(
            "How strongly each model's answers are preferred, estimated from all comparisons at once; the "
            "mean of all models is 0, and higher is better. Intervals hold for other subjects with these "
            "annotators: another group may prefer otherwise."
        ),
        "pairwise.md",
        "Bradley and Terry (1952); ties after Davidson (1970), JASA 65:317-328",
    ),
    Explanation(
        "win_rates",
        Translatable("Preferences, pair by pair"),
        Translatable(
            "For each two models, how often one was preferred, the other, or neither. The win rate counts a "
            "tie as half. 50 % means that neither is preferred."
        ),
        "pairwise.md",
    ),
    Explanation(
        "position",
        Translatable("Effect of the place"),
        Translatable(
            "Whether the answer on the left is chosen more often because it stands there. Sides are drawn "
            "by chance, so without such an effect half of the choices fall on the left."
        ),
        "pairwise.md",
        "Davidson and Beaver (1977), Biometrics 33:693-702",
    ),
    Explanation(
        "preference_agreement",
        Translatable("Agreement on preferences"),
        Translatable(
            "How often people prefer the same answer of the same pair. Low agreement with clear strengths "
            "means that the models differ on average, while people differ on single pairs."
        ),
        "pairwise.md",
        "Krippendorff (2011); Gwet (2014)",
    ),
    Explanation(
        "content_validity",
        Translatable("Ratings and content validity"),
        Translatable(
            "How experts rate a template on each scale, and the content validity index: the share of "
            "experts who give 3 or 4 of 4. With few experts a high index can be chance; the modified kappa "
            "takes that off."
        ),
        "review.md",
        "Polit, Beck and Owen (2007)",
    ),
    Explanation(
        "review_agreement",
        Translatable("Agreement between experts"),
        Translatable(
            "How far the experts of a round give the same ratings, with the scales as items. There are few "
            "scales and few experts, so there is often no interval; read it beside the ratings."
        ),
        "review.md",
        "Gwet (2014); Krippendorff (2011)",
    ),
)
