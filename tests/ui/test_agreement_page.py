"""The agreement page as HTML: coefficients in their layer, what stands beside them below it."""

from annotations.agreement import Rating, agreement
from annotations.agreement.display import pair_table
from annotations.agreement.layers import Layer
from ui.views_agreement import layer_view


def test_the_page_shows_pairs_strength_and_other_intervals_below_the_layer() -> None:
    labels = [
        Rating(f"i{item:02}", annotator, "123"[(item * step // 2) % 3], f"s{item % 12}")
        for item in range(60)
        for annotator, step in (("A", 2), ("B", 3), ("C", 2))
    ]
    result = agreement(labels, scale="ordinal", categories=["1", "2", "3"], details=True)
    shown = str(layer_view(Layer(name="x", title="X", conditional=False, result=result)))
    inside, below = shown.split("</section>")
    assert "A - B" not in inside  # a row of a layer is a coefficient
    assert "A - B" in below
    assert "cluster bootstrap, 1000 draws" in below
    assert "Landis-Koch" in below
    columns, rows = pair_table(result)
    assert columns == ("pair", "n", "agree", "Cohen", "quadratic", "AC1", "AC2 quadratic", *columns[7:])
    assert len(rows) == 3
