#!/bin/sh
# Compares benchguide parse with grep -c and with a line-by-line reader, on one core
# and in turn, over a server log of 1 GB with 1,000 results in it. What is compared is
# processor time, so that other work on the machine hardly matters.
#
#   tools/bench/parse.sh [ROUNDS]     SIZE=bytes BLOCKS=n CORE=n KEEP=file
set -eu
cd "$(dirname "$0")/../.."
rounds=${1:-5}
size=${SIZE:-1073741824}
blocks=${BLOCKS:-1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pin=
if command -v taskset >/dev/null; then
	pin="taskset -c ${CORE:-0}"
fi

go build -o "$work/benchguide" ./cmd/benchguide
go run ./tools/bench/makelog -size "$size" -blocks "$blocks" >"$work/server.log"
cat "$work/server.log" >/dev/null # into the page cache

cat >"$work/cost.py" <<'PY'
import os, resource, subprocess, sys
out = open(sys.argv[1], "wb")
status = subprocess.run(sys.argv[2:], stdout=out, stderr=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%.3f %d" % (used.ru_utime + used.ru_stime, used.ru_maxrss // 1024))
sys.exit(status)
PY
cost() { $pin python3 "$work/cost.py" "$@"; }

count() { # NAME FOUND
	if [ "$2" -ne "$blocks" ]; then
		echo "$1 found $2 results of $blocks" >&2
		exit 1
	fi
}

echo "round  grep s  parse s (MB)  read.py s  read.py --split s"
: >"$work/table"
for round in $(seq "$rounds"); do
	g=$(cost "$work/grep" grep -c 'Serving Benchmark Result' "$work/server.log")
	p=$(cost "$work/parse" "$work/benchguide" parse --format jsonl "$work/server.log")
	y=$(cost "$work/python" python3 tools/bench/read.py "$work/server.log")
	s=$(cost "$work/split" python3 tools/bench/read.py --split "$work/server.log")
	count grep "$(cat "$work/grep")"
	count parse "$(wc -l <"$work/parse")"
	count python "$(wc -l <"$work/python")"
	count split "$(wc -l <"$work/split")"
	echo "$round $g $p $y $s" >>"$work/table"
	echo "$round $g $p $y $s" | awk '{printf "%5d  %6.3f  %7.3f (%2d)  %9.3f  %17.3f\n", $1, $2, $4, $5, $6, $8}'
done
# The middle of the pairs' ratios, since a pair shares what disturbs it.
ratio() { awk "{print $1}" "$work/table" | sort -n | awk '{v[NR] = $1} END {printf "%.2f", v[int((NR + 1) / 2)]}'; }
echo "parse takes $(ratio '$4/$2') of grep -c (at most 2) and 1/$(ratio '$6/$4') of read.py (at most 1/10), 1/$(ratio '$8/$4') of read.py --split"
