#!/bin/sh
# Cuts the two chart fonts down to the characters that a site can draw.
#
#   tools/font/subset.sh FILE...
#
# FILE are texts (catalogues, studies, tests); every character in them, and those of symbols.txt beside
# this script, gets a glyph in templates/fonts/NotoSansSC-{Regular,Bold}.subset.otf. The same input gives
# the same bytes, in any order of files. Only this script needs Debian's fonts-noto-cjk and fonttools:
# the result is checked in, and a chart that needs another character fails to build and names it.
set -eu
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
out=$here/../../templates/fonts
source=${NOTO_CJK_DIR:-/usr/share/fonts/opentype/noto}
licence=${NOTO_CJK_LICENCE:-/usr/share/doc/fonts-noto-cjk/copyright}

text=$(mktemp)
trap 'rm -f "$text"' EXIT
cat "$here/symbols.txt" "$@" >"$text"

mkdir -p "$out"
for weight in Regular Bold; do
	# Face 2 of the collection is "Noto Sans CJK SC". Kerning stays, because Go and browsers measure with
	# it; hints go, because charts are drawn without. The names stay as upstream set them: the notice
	# reserves no font name, and they carry the copyright and the licence inside the file.
	pyftsubset "$source/NotoSansCJK-$weight.ttc" --font-number=2 --text-file="$text" \
		--layout-features=kern --no-hinting --no-recalc-timestamp \
		--name-IDs=0,1,2,3,4,5,6,7,13,14 --name-languages=0x409 \
		--output-file="$out/NotoSansSC-$weight.subset.otf"
done

{
	cat <<'NOTICE'
NotoSansSC-Regular.subset.otf and NotoSansSC-Bold.subset.otf are modified versions (fewer glyphs, no
hints) of the faces "Noto Sans CJK SC" Regular and Bold, version 2.004.

Copyright 2014-2021 Adobe (http://www.adobe.com/). Noto is a trademark of Google Inc.
No reserved font name is declared for the Noto CJK fonts. Adobe reserves "Source" for the sister family
Source Han Sans; these files do not use it.

NOTICE
	# Debian indents the licence by one column and writes an empty line as " .".
	sed -n '/^License: SIL-1.1$/,/^License: GPL/{/^License:/d;s/^ \.$//;s/^ //;p}' "$licence" | sed -n '/SIL OPEN FONT/,$p'
} >"$out/OFL.txt"
