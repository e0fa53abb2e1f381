"""Every taxonomy code that a rule may suggest or a template's mistake may carry, once.

They are codes of the built-in taxonomy (`annotations/taxonomies`), which defines each in words.
"""

OMISSION = "omission"
MISSED_STEP = "omission.missed_step"
MISSED_RECORD = "omission.missed_record"
PARTIAL_ANSWER = "omission.partial_answer"

HALLUCINATION = "hallucination"
FABRICATED_VALUE = "hallucination.fabricated_value"
FABRICATED_TIME = "hallucination.fabricated_time"
UNSUPPORTED_ASSUMPTION = "hallucination.unsupported_assumption"

FORMAT_MISMATCH = "format_mismatch"
NOT_ASKED_FORM = "format_mismatch.not_asked_form"
PRECISION = "format_mismatch.precision"
UNIT = "format_mismatch.unit"
DATETIME_FORM = "format_mismatch.datetime_form"

CAUSAL_REASONING = "causal_reasoning"
ARITHMETIC_SLIP = "causal_reasoning.arithmetic_slip"
WRONG_FORMULA = "causal_reasoning.wrong_formula"
WRONG_COMPARATOR = "causal_reasoning.wrong_comparator"
PREMATURE_ROUNDING = "causal_reasoning.premature_rounding"

CONTEXTUAL_INCONSISTENCY = "contextual_inconsistency"
WRONG_RECORD = "contextual_inconsistency.wrong_record"
WRONG_VITAL = "contextual_inconsistency.wrong_vital"
DISTRACTOR_USED = "contextual_inconsistency.distractor_used"
NEGATION_MISSED = "contextual_inconsistency.negation_missed"
OTHER_QUESTION = "contextual_inconsistency.other_question"

UNANSWERED = "unanswered"
FALSE_ABSTENTION = "unanswered.false_abstention"
REFUSAL = "unanswered.refusal"
EMPTY = "unanswered.empty"
TRUNCATED = "unanswered.truncated"

OUTPUT_ERROR = "output_error"
REPETITION = "output_error.repetition"
GARBLED = "output_error.garbled"
WRONG_LANGUAGE = "output_error.wrong_language"

UNDETERMINED = "undetermined"
