"""The one table of who may do what."""

from pathlib import Path
from typing import get_args

import pytest

from clinicnum.annotations.role_rights import RIGHTS, Right, may, require
from clinicnum.annotations.types import ROLES
from clinicnum.errors import NotAllowed


def test_every_right_is_held_by_somebody_and_every_role_can_do_something() -> None:
    assert set(RIGHTS) == set(get_args(Right))
    assert all(RIGHTS.values())
    assert set().union(*RIGHTS.values()) == set(ROLES)


def test_only_annotators_annotate_and_they_see_no_agreement() -> None:
    assert [role for role in ROLES if may(role, "annotate")] == ["annotator"]
    assert not may("annotator", "see_agreement")
    assert not may("annotator", "see_report")


def test_researchers_manage_studies_and_only_admins_manage_accounts() -> None:
    assert [role for role in ROLES if may(role, "manage_users")] == ["admin"]
    assert [role for role in ROLES if may(role, "manage_studies")] == ["researcher", "admin"]


def test_a_refusal_names_the_roles_that_may() -> None:
    require("admin", "manage_users")
    with pytest.raises(
        NotAllowed,
        match="A curator may not see agreement; that takes the role adjudicator, admin, researcher",
    ):
        require("curator", "see_agreement")


def test_the_table_in_the_docs_is_the_one_in_the_code() -> None:
    text = (Path(__file__).parents[2] / "docs" / "accounts.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|\n").split("|")] for line in text.splitlines() if "|" in line
    ]
    head, _, *body = rows
    assert head == ["right", *ROLES]
    told = {
        row[0]: frozenset(role for role, cell in zip(ROLES, row[1:], strict=True) if cell) for row in body
    }
    assert told == RIGHTS
