#!/usr/bin/env python3
"""Trains with PyTorch DDP over an epoch, ends anywhere, and goes on from its cursor in any other number of processes.

gloo on the CPU, a DataLoader of WORKERS workers in each process, stock webdataset. After each step rank 0 replaces the
checkpoint: model, optimizer, cursor, and (to prove the point) the keys of all samples trained on.
Kill it, start it again with another --world: at the end it says whether every sample of the epoch was seen exactly once.
usage: TARPON_URL=http://host:port torch_ddp.py --checkpoint FILE [--world 2] [--workers 2] [--batch 8]
       [--dataset demo] [--version v1] [--split train] [--seed 0] [--epoch 0] [--step-seconds 0]
"""
import argparse
import os
import socket
import sys
import time
import urllib.error
import urllib.request

import torch
import torch.distributed as dist
import webdataset as wds
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


def arguments():
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
    return options.parse_args()


def epoch_url(o):
    return f"{os.environ['TARPON_URL']}/e/{o.dataset}/{o.version}/{o.split}/{o.seed}/{o.epoch}"


def head(url):
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, method="HEAD")) as answer:
                return answer.headers
        except urllib.error.HTTPError as e:
            if e.code != 503:
                raise
            time.sleep(int(e.headers["Retry-After"]))  # The plan of the epoch is being made.


def collate(samples):
    """Keys, and for each sample how often each byte value is in its first field: a toy in place of .decode()."""
    fields = [next(value for name, value in sample.items() if not name.startswith("__")) for sample in samples]
    counts = [torch.bincount(torch.frombuffer(bytearray(field), dtype=torch.uint8), minlength=256) for field in fields]
    return [sample["__key__"] for sample in samples], torch.stack(counts) / 1e4


def train(rank, o, port):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=o.world)
    net = torch.nn.Linear(256, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-4)
    checkpoint = {"cursor": 0, "seen": [], "worlds": []}
    if os.path.exists(o.checkpoint):
        checkpoint = torch.load(o.checkpoint)
        net.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
    dist.barrier()  # All have read the checkpoint before rank 0 writes the next one.
    model = DistributedDataParallel(net)
    start = checkpoint["cursor"]
    checkpoint["worlds"].append(o.world)

    query = f"?start={start}&batch={o.batch}&tail=keep"
    dataset = wds.WebDataset(
        f"{epoch_url(o)}/{rank}of{o.world}/{{0..{o.workers - 1}}}of{o.workers}.tar{query}",
        shardshuffle=False,  # The order is the server's.
        nodesplitter=None,  # The URL says which rank's samples come.
        workersplitter=wds.split_by_worker,  # Worker k of W takes the k-th URL.
        empty_check=False,
    ).batched(o.batch, collation_fn=collate)
    # Batches come from the workers in turn: with the URL's batch size that is the rank's order.
    batches = iter(DataLoader(dataset, batch_size=None, num_workers=o.workers))

    end = int(head(f"{epoch_url(o)}/{rank}of{o.world}.tar{query}")["Tarpon-Cursor"])
    for step in range(1, -(-(end - start) // (o.world * o.batch)) + 1):
        # With tail=keep the last step may have less for some ranks, or nothing: they take part with a loss of 0.
        keys, x = next(batches, ([], torch.zeros(1, 256)))
        loss = (model(x) - 1).square().mean() * (1 if keys else 0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        time.sleep(o.step_seconds)
        seen = [None] * o.world
        dist.all_gather_object(seen, keys)
        checkpoint["cursor"] = min(start + step * o.world * o.batch, end)
        checkpoint["seen"] += sum(seen, [])
        checkpoint |= {"model": net.state_dict(), "optimizer": optimizer.state_dict()}
        if rank == 0:
            torch.save(checkpoint, o.checkpoint + ".new")
            os.replace(o.checkpoint + ".new", o.checkpoint)  # Whole or not at all, cursor and model together.
            print(f"cursor {checkpoint['cursor']}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


def judge(o):
    checkpoint = torch.load(o.checkpoint)
    seen, samples = checkpoint["seen"], int(head(f"{epoch_url(o)}/0of1.tar")["Tarpon-Samples"])
    worlds = ", then ".join(map(str, checkpoint["worlds"]))
    if len(seen) != samples or len(set(seen)) != samples:
        sys.exit(f"{len(seen)} samples seen, {len(set(seen))} different ones, the epoch has {samples}")
    print(f"every sample of the epoch was seen exactly once: {samples}, in {worlds} processes")


if __name__ == "__main__":
    o = arguments()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    print(f"{o.world} processes of {o.workers} workers", flush=True)
    torch.multiprocessing.spawn(train, args=(o, port), nprocs=o.world)
    judge(o)
