#!/usr/bin/env python3
"""Reads an epoch with Python's standard library and counts its samples.

usage: TARPON_URL=http://host:port plain.py [--dataset demo] [--version v1] [--split train] [--seed 0] [--epoch 0]
"""
import argparse
import os
import sys
import tarfile
import urllib.request

options = argparse.ArgumentParser()
options.add_argument("--dataset", default="demo")
options.add_argument("--version", default="v1")
options.add_argument("--split", default="train")
options.add_argument("--seed", type=int, default=0)
options.add_argument("--epoch", type=int, default=0)
o = options.parse_args()

url = f"{os.environ['TARPON_URL']}/e/{o.dataset}/{o.version}/{o.split}/{o.seed}/{o.epoch}/0of1.tar"
counted, members, size, last = 0, 0, 0, None
with urllib.request.urlopen(url) as answer, tarfile.open(fileobj=answer, mode="r|") as tar:
    for member in tar:
        # Members of one sample follow each other and have one name up to the first dot behind the last slash.
        folder, _, name = member.name.rpartition("/")
        key = (folder, name.partition(".")[0])
        counted, last = counted + (key != last), key
        members += 1
        size += len(tar.extractfile(member).read())
    expected = int(answer.headers["Tarpon-Samples"])

print(f"{url}: {counted} samples of {expected}, {members} members, {size} bytes")
sys.exit(0 if counted == expected else "the stream is not whole")
