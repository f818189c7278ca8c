#!/usr/bin/env python3
"""Reads results line by line, as the scripts do that benchguide replaces.

    read.py FILE            tries its labels on each line
    read.py --split FILE    splits each line at its colon and looks the label up: as
                            fast as such a script gets, and lost where a line has a
                            prefix with a colon

It knows the labels of one version of one client, and prints a JSON object for each
block. It is the yardstick of parse.sh, so it does nothing more than it must.
"""
import json
import sys

LABELS = {
    "Successful requests": "completed_requests",
    "Failed requests": "failed_requests",
    "Maximum request concurrency": "max_concurrency",
    "Benchmark duration (s)": "duration",
    "Total input tokens": "input_tokens",
    "Total generated tokens": "output_tokens",
    "Request throughput (req/s)": "request_throughput",
    "Output token throughput (tok/s)": "output_throughput",
    "Peak output token throughput (tok/s)": "peak_output_throughput",
    "Peak concurrent requests": "peak_concurrency",
    "Total token throughput (tok/s)": "total_throughput",
    "Total Token throughput (tok/s)": "total_throughput",
}
for word in ("TTFT", "TPOT", "ITL"):
    for stat in ("Mean", "Median", "P99"):
        LABELS[f"{stat} {word} (ms)"] = f"{stat}_{word}".lower()


def tried(line):
    for label, name in LABELS.items():
        if line.startswith(label):
            return name, line[len(label) + 1:]
    return None, None


def split(line):
    label, _, value = line.partition(":")
    return LABELS.get(label), value


def main():
    read = split if sys.argv[1] == "--split" else tried
    record = None
    with open(sys.argv[-1], encoding="utf-8", errors="replace") as log:
        for number, line in enumerate(log, 1):
            line = line.strip()
            if "Serving Benchmark Result" in line:
                record = {"line": number}
            elif record is not None and line.startswith("====="):
                print(json.dumps(record))
                record = None
            else:
                name, value = read(line)
                if name and record is not None:
                    record[name] = float(value)


main()
