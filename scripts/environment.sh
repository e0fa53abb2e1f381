# Sourced by scripts/demo and scripts/test: make .venv and install the pinned packages once.
# Usage: prepare_environment LOCK...   (torch is installed first, so that nothing asks for a larger build of it)

find_python() {
    local name
    for name in "${CLINICNUM_PYTHON:-}" python3.11 python3 python3.12 python3.13; do
        if [ -n "$name" ] && command -v "$name" >/dev/null 2>&1 &&
            "$name" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$name"
            return
        fi
    done
    echo "error: no Python 3.11 or newer with venv found; install it, or name one in CLINICNUM_PYTHON" >&2
    return 2
}

prepare_environment() {
    local stamp wanted lock python
    python=$(find_python)
    wanted=$(cat "$@" pyproject.toml | sha256sum | cut -d' ' -f1)
    stamp=.venv/installed-$(basename "$1").sha256
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
        return
    fi
    [ -x .venv/bin/python ] || "$python" -m venv .venv
    echo "installing packages into .venv" >&2
    .venv/bin/python -m pip install --quiet --no-compile --disable-pip-version-check "$(grep -h '^torch==' "$@" | head -n 1)"
    for lock in "$@"; do
        .venv/bin/python -m pip install --quiet --no-compile --disable-pip-version-check -r "$lock"
    done
    # An editable install: the checkout is the package, and needs no wheel of its own.
    .venv/bin/python -m pip install --quiet --no-compile --disable-pip-version-check --no-deps --editable .
    printf '%s\n' "$wanted" >"$stamp"
}
