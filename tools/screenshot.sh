#!/bin/sh
# Draws the top of a page: tools/screenshot.sh PAGE.html OUT.png
#
# The page is opened from the disk by a Chromium without a profile, so that neither a cache nor
# somebody's settings are in the picture. The window is a laptop's, wide enough for the contents.
set -eu

browser=
for name in chromium chromium-browser google-chrome google-chrome-stable; do
	if command -v "$name" >/dev/null; then
		browser=$name
		break
	fi
done
test -n "$browser" || { echo "screenshot: no Chromium was found; see tools/browser.sh" >&2; exit 1; }

profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
# --no-sandbox: as root, in a container, Chromium starts in no other way; the page is our own.
"$browser" --headless --no-sandbox --disable-gpu --disable-background-networking --hide-scrollbars \
	--user-data-dir="$profile" --window-size=1280,1130 --force-device-scale-factor=1 \
	--virtual-time-budget=2000 --screenshot="$(realpath -m "$2")" "file://$(realpath "$1")" 2>/dev/null
