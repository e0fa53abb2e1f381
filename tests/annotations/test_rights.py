"""The one table of who may do what."""

from typing import get_args

import pytest

from annotations.rights import RIGHTS, Right, may, require
from annotations.types import ROLES
from clinicnum.errors import NotAllowed


def test_every_right_is_held_by_somebody_and_every_role_can_do_something() -> None:
    assert set(RIGHTS) == set(get_args(Right))
    assert all(RIGHTS.values())
    assert set().union(*RIGHTS.values()) == set(ROLES)


def test_only_annotators_annotate_and_they_see_no_agreement() -> None:
    assert [role for role in ROLES if may(role, "annotate")] == ["annotator"]
    assert not may("annotator", "see_agreement")
    assert not may("annotator", "see_report")


def test_only_admins_manage() -> None:
    assert [role for role in ROLES if may(role, "manage_users")] == ["admin"]
    assert [role for role in ROLES if may(role, "manage_studies")] == ["admin"]


def test_a_refusal_names_the_roles_that_may() -> None:
    require("admin", "manage_users")
    with pytest.raises(
        NotAllowed, match="A curator may not see agreement; that takes the role adjudicator, admin"
    ):
        require("curator", "see_agreement")
