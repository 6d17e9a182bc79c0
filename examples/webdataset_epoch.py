#!/usr/bin/env python3
"""Reads one rank's epoch with stock webdataset, every worker its own URL, and counts its samples.

With torch installed the workers are those of a DataLoader; without, one process reads their URLs one after the other.
usage: TARPON_URL=http://host:port webdataset_epoch.py [--dataset demo] [--version v1] [--split train] [--seed 0]
       [--epoch 0] [--rank 0] [--world 1] [--workers 2] [--batch 8] [--tail drop] [--shuffle global]
"""
import argparse
import os
import sys
import urllib.request

import webdataset as wds

options = argparse.ArgumentParser()
options.add_argument("--dataset", default="demo")
options.add_argument("--version", default="v1")
options.add_argument("--split", default="train")
options.add_argument("--seed", type=int, default=0)
options.add_argument("--epoch", type=int, default=0)
options.add_argument("--rank", type=int, default=0)
options.add_argument("--world", type=int, default=1)
options.add_argument("--workers", type=int, default=2)
options.add_argument("--batch", type=int, default=8)
options.add_argument("--tail", default="drop")
options.add_argument("--shuffle", default="global")
o = options.parse_args()

folder = f"{os.environ['TARPON_URL']}/e/{o.dataset}/{o.version}/{o.split}/{o.seed}/{o.epoch}/{o.rank}of{o.world}"
query = f"?batch={o.batch}&tail={o.tail}&shuffle={o.shuffle}"
pattern = f"{folder}/{{0..{o.workers - 1}}}of{o.workers}.tar{query}"

dataset = wds.WebDataset(
    pattern,
    shardshuffle=False,  # The order is the server's: a shuffle here would change what a step has.
    nodesplitter=None,  # The URL says which rank's samples come.
    workersplitter=wds.split_by_worker,  # Worker k of W takes the k-th URL.
    empty_check=False,  # With tail=keep a worker may have nothing.
).batched(o.batch, collation_fn=list)  # Here goes .decode(...).to_tuple(...) in a training.

try:
    from torch.utils.data import DataLoader

    loader, how = DataLoader(dataset, batch_size=None, num_workers=o.workers), f"{o.workers} workers of a DataLoader"
except ModuleNotFoundError:
    loader, how = dataset, "one process"

keys = [sample["__key__"] for batch in loader for sample in batch]
with urllib.request.urlopen(urllib.request.Request(f"{folder}.tar{query}", method="HEAD")) as head:
    expected = int(head.headers["Tarpon-Samples"])
print(f"webdataset {wds.__version__}, {how}: {len(keys)} samples of {expected}, {len(set(keys))} different ones")
sys.exit(0 if len(keys) == expected else "the epoch is not whole")
