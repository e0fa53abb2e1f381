"""The interval of a difference between two shares, from the interval of each.

Newcombe (1998), "Interval estimation for the difference between independent proportions: comparison of eleven
methods", method 10: the distances of each share from the ends of its own Wilson interval are squared and
added. The intervals given here are clustered ones, which makes the difference's one of other subjects too. It
takes the two shares as independent: where the same subjects are behind both, it is rather too wide.
"""

from math import hypot

from clinicnum.stats.jackknife import Interval

NEWCOMBE = "Newcombe's hybrid score interval from the clustered intervals of both shares"


def difference_interval(one: float, of_one: Interval, other: float, of_other: Interval) -> Interval:
    """The interval of `one - other`; undefined, with the reason, where either share has no interval."""
    clusters = min(of_one.n_clusters, of_other.n_clusters)
    if of_one.low is None or of_one.high is None or of_other.low is None or of_other.high is None:
        reason = of_one.undefined or of_other.undefined
        return Interval(None, None, NEWCOMBE, clusters, undefined=reason)
    return Interval(
        one - other - hypot(one - of_one.low, of_other.high - other),
        one - other + hypot(of_one.high - one, other - of_other.low),
        NEWCOMBE,
        clusters,
        warning=of_one.warning or of_other.warning,
    )
