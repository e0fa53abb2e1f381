# Sourced by scripts/demo, scripts/docs and scripts/test: make .venv and install the pinned packages once.
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

stamp_of() { echo ".venv/installed-$(basename "$1").sha256"; }

wanted_by() { cat "$1" pyproject.toml | sha256sum | cut -d' ' -f1; }

install_packages() { .venv/bin/python -m pip install --quiet --no-compile --disable-pip-version-check "$@"; }

prepare_environment() {
    local lock python
    local -a missing=()
    python=$(find_python)
    # One stamp a lock, so that the demo's environment is also right once the tests' packages are in it.
    for lock in "$@"; do
        [ "$(cat "$(stamp_of "$lock")" 2>/dev/null)" = "$(wanted_by "$lock")" ] || missing+=("$lock")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    [ -x .venv/bin/python ] || "$python" -m venv .venv
    echo "installing packages into .venv (2 GB; takes minutes, in which nothing else is printed)" >&2
    install_packages "$(grep -h '^torch==' "$@" | head -n 1)"
    for lock in "${missing[@]}"; do
        install_packages -r "$lock"
    done
    # An editable install: the checkout is the package, and needs no wheel of its own.
    install_packages --no-deps --editable .
    for lock in "${missing[@]}"; do
        wanted_by "$lock" >"$(stamp_of "$lock")"
    done
}
