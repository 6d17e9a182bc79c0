#!/usr/bin/env python3
"""Reads one rank's epoch with stock webdataset piece by piece, and goes on at the piece in which it was broken off.

A stock loader cannot go on in the middle of a URL. The epoch's manifest gives the rank's positions as PIECES URLs, one
behind the other; the checkpoint counts those that came to their end, so that at most one piece comes twice.
Each line of the output holds the keys of one step.
usage: TARPON_URL=http://host:port pieces.py --checkpoint FILE [--pieces 20] [--dataset demo] [--version v1]
       [--split train] [--seed 0] [--epoch 0] [--rank 0] [--world 1] [--batch 8] [--step-seconds 0]
"""
import argparse
import json
import os
import sys
import time
import urllib.error
import urllib.request

import webdataset as wds

options = argparse.ArgumentParser()
options.add_argument("--checkpoint", required=True)
options.add_argument("--pieces", type=int, default=20)
options.add_argument("--dataset", default="demo")
options.add_argument("--version", default="v1")
options.add_argument("--split", default="train")
options.add_argument("--seed", type=int, default=0)
options.add_argument("--epoch", type=int, default=0)
options.add_argument("--rank", type=int, default=0)
options.add_argument("--world", type=int, default=1)
options.add_argument("--batch", type=int, default=8)
options.add_argument("--step-seconds", type=float, default=0)
o = options.parse_args()


def manifest(url):
    while True:
        try:
            with urllib.request.urlopen(url) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as e:
            if e.code != 503:
                raise
            time.sleep(int(e.headers["Retry-After"]))  # The plan of the epoch is being made.


epoch = f"/e/{o.dataset}/{o.version}/{o.split}/{o.seed}/{o.epoch}"
of = f"{epoch}/{o.rank}of{o.world}.json?batch={o.batch}&tail=keep&pieces={o.pieces}"
urls = manifest(os.environ["TARPON_URL"] + of)["urls"]
done = 0
if os.path.exists(o.checkpoint):
    with open(o.checkpoint) as file:
        checkpoint = json.load(file)
    if checkpoint["of"] != of:
        sys.exit(f"{o.checkpoint} counts the pieces of {checkpoint['of']}, not of {of}")
    done = checkpoint["done"]

for number in range(done, len(urls)):
    print(f"piece {number + 1} of {len(urls)}", file=sys.stderr, flush=True)
    piece = wds.WebDataset(urls[number], shardshuffle=False, nodesplitter=None, empty_check=False)
    for batch in piece.batched(o.batch, collation_fn=list):
        print(*(sample["__key__"] for sample in batch), flush=True)
        time.sleep(o.step_seconds)
    with open(o.checkpoint + ".new", "w") as file:
        json.dump({"of": of, "done": number + 1}, file)  # The model belongs in here.
    os.replace(o.checkpoint + ".new", o.checkpoint)
