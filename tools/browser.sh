#!/bin/sh
# Sees to it that the tests find a Chromium, for what no other reader of pages can tell: layout on
# a phone, contrast, accessibility, what the scripts do.
#
# As root on Debian it installs one. Elsewhere it says what to install, and stops only in continuous
# integration (CI=true), where a test that is left out must not look like one that passed; at a
# desk the other tests are worth running without it.
set -eu

for name in chromium chromium-browser google-chrome google-chrome-stable; do
	if command -v "$name" >/dev/null; then
		exit 0
	fi
done

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq -o Acquire::Retries=3
	# No recommends: they are half a desktop, and the tests need the browser alone.
	apt-get install -y -qq --no-install-recommends -o Acquire::Retries=3 chromium >/dev/null
	exit 0
fi

cat >&2 <<'MESSAGE'

No Chromium was found, and only root on Debian or Ubuntu can have it installed from here.
The tests that open pages in a browser cannot run without it. Install it, then run make test again:

    Debian     sudo apt-get install chromium
    Fedora     sudo dnf install chromium
    Arch       sudo pacman -S chromium

Google Chrome serves too, if google-chrome is on the PATH.

MESSAGE
test "${CI:-}" != true
