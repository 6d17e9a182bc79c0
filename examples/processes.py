#!/usr/bin/env python3
"""Trains over an epoch in several processes, ends anywhere, and goes on from its cursor in any other number of them.

The same as torch_ddp.py without torch: WORLD rank processes of WORKERS loader processes each, every loader a stock
webdataset over its own URL. After each step the checkpoint is replaced; here it holds the keys seen in place of a model.
Kill it, start it again with another --world: at the end it says whether every sample of the epoch was seen exactly once.
usage: TARPON_URL=http://host:port processes.py --checkpoint FILE [--world 2] [--workers 2] [--batch 8]
       [--dataset demo] [--version v1] [--split train] [--seed 0] [--epoch 0] [--step-seconds 0]
"""
import argparse
import itertools
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

options = argparse.ArgumentParser()
options.add_argument("--checkpoint", required=True)
options.add_argument("--world", type=int, default=2)
options.add_argument("--workers", type=int, default=2)
options.add_argument("--batch", type=int, default=8)
options.add_argument("--dataset", default="demo")
options.add_argument("--version", default="v1")
options.add_argument("--split", default="train")
options.add_argument("--seed", type=int, default=0)
options.add_argument("--epoch", type=int, default=0)
options.add_argument("--step-seconds", type=float, default=0)
options.add_argument("--rank", type=int, help="set by this script for its own processes")
options.add_argument("--start", type=int, help="the same")
o = options.parse_args()

EPOCH = f"{os.environ['TARPON_URL']}/e/{o.dataset}/{o.version}/{o.split}/{o.seed}/{o.epoch}"


def head(url):
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, method="HEAD")) as answer:
                return answer.headers
        except urllib.error.HTTPError as e:
            if e.code != 503:
                raise
            time.sleep(int(e.headers["Retry-After"]))  # The plan of the epoch is being made.


def process(*arguments, **environment):
    return subprocess.Popen(
        [sys.executable, __file__, *sys.argv[1:], *arguments],
        env=os.environ | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def go_on(process):
    """What a process waits for on its input."""
    process.stdin.write("\n")
    process.stdin.flush()


def train():
    checkpoint = {"cursor": 0, "seen": [], "worlds": []}
    if os.path.exists(o.checkpoint):
        with open(o.checkpoint) as file:
            checkpoint = json.load(file)
    start = cursor = checkpoint["cursor"]
    checkpoint["worlds"].append(o.world)
    print(f"{o.world} processes of {o.workers} workers from position {start}", flush=True)
    end = int(head(f"{EPOCH}/0of{o.world}.tar?start={start}&batch={o.batch}&tail=keep")["Tarpon-Cursor"])
    ranks = [process("--rank", str(rank), "--start", str(start)) for rank in range(o.world)]
    for step in itertools.count(1):
        if cursor == end:
            break
        for rank in ranks:  # All ranks have their batch before any goes on, as with an all-reduce.
            line = rank.stdout.readline()
            if not line:
                sys.exit("a rank died; start again to go on from the checkpoint")
            checkpoint["seen"] += json.loads(line)
        time.sleep(o.step_seconds)
        checkpoint["cursor"] = cursor = min(start + step * o.world * o.batch, end)
        with open(o.checkpoint + ".new", "w") as file:
            json.dump(checkpoint, file)
        os.replace(o.checkpoint + ".new", o.checkpoint)  # Whole or not at all, cursor and model together.
        print(f"cursor {cursor}", flush=True)
        for rank in ranks:
            go_on(rank)
    for rank in ranks:
        rank.stdin.close()
        rank.wait()
    judge(checkpoint)


def judge(checkpoint):
    seen, samples = checkpoint["seen"], int(head(f"{EPOCH}/0of1.tar")["Tarpon-Samples"])
    worlds = ", then ".join(map(str, checkpoint["worlds"]))
    if len(seen) != samples or len(set(seen)) != samples:
        sys.exit(f"{len(seen)} samples seen, {len(set(seen))} different ones, the epoch has {samples}")
    print(f"every sample of the epoch was seen exactly once: {samples}, in {worlds} processes")


def rank():
    """Gives its batches in the rank's order, one for each line of its input: worker k has every workers-th batch.

    Each worker has one batch ready, as a DataLoader's with prefetch_factor=1, so that a slow step holds its stream back.
    """
    workers = [process(WORKER=str(k), NUM_WORKERS=str(o.workers)) for k in range(o.workers)]
    for step in itertools.count():
        worker = workers[step % o.workers]
        line = worker.stdout.readline()
        if not line and worker.wait() != 0:
            sys.exit("a worker died")
        if line:
            go_on(worker)
        print(line.strip() or "[]", flush=True)  # With tail=keep the last step may have nothing for this rank.
        if not sys.stdin.readline():
            break


def worker():
    import webdataset as wds  # Where WORKER and NUM_WORKERS are set it takes them from there.

    query = f"?start={o.start}&batch={o.batch}&tail=keep"
    dataset = wds.WebDataset(
        f"{EPOCH}/{o.rank}of{o.world}/{{0..{o.workers - 1}}}of{o.workers}.tar{query}",
        shardshuffle=False,
        nodesplitter=None,
        workersplitter=wds.split_by_worker,
        empty_check=False,
    ).batched(o.batch, collation_fn=list)
    for batch in dataset:
        print(json.dumps([sample["__key__"] for sample in batch]), flush=True)
        if not sys.stdin.readline():
            break


if __name__ == "__main__":
    try:
        if o.rank is None:
            train()
        elif "WORKER" in os.environ:
            worker()
        else:
            rank()
    except BrokenPipeError:  # The process that reads what this one says was killed.
        os._exit(1)
