# Sourced by the scripts of this folder: makes sure that .venv has what a script needs, then sets `python`.
#
#   need run    what the command needs        need test   and what the tests need        need dev   and the linters
#
# A stamp in .venv holds the folder and the pyproject.toml that were installed last. While it still agrees, a
# script costs one comparison; otherwise tools/set_up.py does the work under a lock.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
python=$root/.venv/bin/python

is_new_enough() {
  "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
  local candidate
  for candidate in python3.13 python3.12 python3.11 python3 python; do
    if command -v "$candidate" >/dev/null && is_new_enough "$candidate"; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  echo "rulewright needs Python 3.11 or newer with its venv module, and none was found on the PATH." >&2
  echo "Looked for: python3.13, python3.12, python3.11, python3, python. Install one of them and try again." >&2
  return 1
}

is_stamped() {
  [[ -x $python ]] && { printf '%s\n' "$root"; cat "$root/pyproject.toml"; } | cmp -s - "$root/.venv/.rulewright-$1"
}

need() {
  is_stamped "$1" && return
  local base
  base=$(find_python) || exit 3
  "$base" "$root/tools/set_up.py" "$1" || exit 3
}
