"""What the page calls each coefficient of agreement. No Gradio, no database."""

from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _

COEFFICIENT_TITLES: dict[str, str] = {
    "percent_agreement": Translatable("Percent agreement"),
    "cohen_kappa": Translatable("Cohen's kappa"),
    "cohen_kappa_linear": Translatable("Cohen's kappa, linear weights"),
    "cohen_kappa_quadratic": Translatable("Cohen's kappa, quadratic weights"),
    "fleiss_kappa": Translatable("Fleiss' kappa"),
    "conger_kappa": Translatable("Conger's kappa"),
    "scott_pi": Translatable("Scott's pi"),
    "brennan_prediger": Translatable("Brennan-Prediger coefficient"),
    "pabak": "PABAK",
    "randolph_kappa_free": Translatable("Randolph's free-marginal kappa"),
    "gwet_ac1": Translatable("Gwet's AC1"),
    "gwet_ac2_linear": Translatable("Gwet's AC2, linear weights"),
    "gwet_ac2_quadratic": Translatable("Gwet's AC2, quadratic weights"),
    "krippendorff_alpha_nominal": Translatable("Krippendorff's alpha, nominal"),
    "krippendorff_alpha_ordinal": Translatable("Krippendorff's alpha, ordinal"),
    "krippendorff_alpha_interval": Translatable("Krippendorff's alpha, interval"),
    "krippendorff_alpha_masi": Translatable("Krippendorff's alpha, MASI distance"),
    "krippendorff_alpha_jaccard": Translatable("Krippendorff's alpha, Jaccard distance"),
    **{f"icc({form})": f"ICC({form})" for form in ("1,1", "2,1", "3,1", "1,k", "2,k", "3,k")},
}
"""Name of a coefficient in results and exports -> its title."""


def coefficient_title(name: str) -> str:
    """The title of a coefficient; `name[category]` is that of one category against all others."""
    coefficient, _bracket, category = name.partition("[")
    title = _(COEFFICIENT_TITLES[coefficient])
    return f"{title}: {category.removesuffix(']')}" if category else title
