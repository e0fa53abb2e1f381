"""The web application put together: database, pages, login."""

import socket
import sys

import uvicorn
from fastapi import FastAPI
from sqlalchemy import Engine, text

from annotations.taxonomy import load_taxonomy
from annotations.types import User
from db.login import log_in
from db.store import Store
from db.work import bank, users
from ui.adjudicate import build_adjudicate
from ui.agreement import build_agreement
from ui.annotate import build_annotate
from ui.bank import build_bank
from ui.draft import build_draft
from ui.failures import build_failures
from ui.gate import Page
from ui.my_work import build_my_work
from ui.people import build_people
from ui.releases import build_releases
from ui.review import build_review
from ui.rounds import build_rounds
from ui.runs import build_runs
from ui.server import build_app
from ui.session import Sessions
from ui.shell import Shell
from ui.studies import build_studies

KEEP_ALIVE_S = 120
"""Longer than most people think about an item, so that a save needs no new connection."""


def make_web(engine: Engine) -> FastAPI:
    """The application on a migrated database."""
    store = Store(engine)

    def authenticate(name: str, password: str) -> User | None:
        return log_in(engine, name=name, password=password)

    def find_user(user_id: str) -> User | None:
        with engine.connect() as connection:
            return users.get_user(connection, user_id)

    def end_sessions(user_id: str) -> None:
        with store.writing() as session:
            users.end_sessions(session, user_id=user_id)

    def check_database() -> None:
        with engine.connect() as connection:
            connection.execute(text("SELECT 1"))

    with store.writing() as session:
        secret = users.cookie_secret(session)
        bank.keep_packaged(session)
    pages = (
        Page(
            "/annotate",
            "Annotate",
            "annotate",
            lambda: build_annotate(store=store, shell=shell, taxonomy=load_taxonomy()),
        ),
        Page("/my-work", "My work", "annotate", lambda: build_my_work(store=store, shell=shell)),
        Page("/adjudicate", "Adjudicate", "adjudicate", lambda: build_adjudicate(store=store, shell=shell)),
        Page("/studies", "Studies", "manage_studies", lambda: build_studies(store=store, shell=shell)),
        Page("/runs", "Runs", "manage_studies", lambda: build_runs(store=store, shell=shell)),
        Page("/people", "People", "manage_users", lambda: build_people(store=store, shell=shell)),
        Page("/agreement", "Agreement", "see_agreement", lambda: build_agreement(store=store, shell=shell)),
        Page("/bank", "Bank", "curate", lambda: build_bank(store=store, shell=shell)),
        Page("/draft", "Drafts", "curate", lambda: build_draft(store=store, shell=shell)),
        Page("/failures", "Failures", "curate", lambda: build_failures(store=store, shell=shell)),
        Page("/rounds", "Reviews", "curate", lambda: build_rounds(store=store, shell=shell)),
        Page("/releases", "Releases", "curate", lambda: build_releases(store=store, shell=shell)),
        Page(
            "/review",
            "Review templates",
            "review_templates",
            lambda: build_review(store=store, shell=shell),
        ),
    )
    shell = Shell(find_user=find_user, pages=[(page.title, page.path, page.right) for page in pages])
    sessions = Sessions(secret=secret, authenticate=authenticate, find_user=find_user, end=end_sessions)
    return build_app(sessions=sessions, pages=pages, check_database=check_database)


def listen(engine: Engine, *, host: str, port: int) -> None:
    """Serve until interrupted; prints the address once it answers. Raises OSError if the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio leaves Nagle's algorithm on, and answers wait 40 ms for the browser.
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        address = f"http://{host}:{listener.getsockname()[1]}/"
        server = uvicorn.Server(
            uvicorn.Config(
                make_web(engine),
                log_level="warning",
                server_header=False,
                date_header=True,
                timeout_keep_alive=KEEP_ALIVE_S,
            )
        )
        print(f"clinicnum is at {address} (stop with Ctrl+C)", file=sys.stderr, flush=True)
        server.run(sockets=[listener])
