#!/usr/bin/env python3
"""Reads one rank's epoch as a tf.data.Dataset of (key, bytes of one field), through resume.py.

usage: TARPON_URL=http://host:port tfdata.py [--dataset demo] [--version v1] [--split train] [--seed 0] [--epoch 0]
       [--rank 0] [--world 1] [--batch 8] [--field jpg]
"""
import argparse
import os
import sys
import tarfile

import tensorflow as tf

import resume

options = argparse.ArgumentParser()
options.add_argument("--dataset", default="demo")
options.add_argument("--version", default="v1")
options.add_argument("--split", default="train")
options.add_argument("--seed", type=int, default=0)
options.add_argument("--epoch", type=int, default=0)
options.add_argument("--rank", type=int, default=0)
options.add_argument("--world", type=int, default=1)
options.add_argument("--batch", type=int, default=8)
options.add_argument("--field", default="jpg")
o = options.parse_args()

# Only the wanted field is sent: one member a sample.
url = (
    f"{os.environ['TARPON_URL']}/e/{o.dataset}/{o.version}/{o.split}/{o.seed}/{o.epoch}/{o.rank}of{o.world}.tar"
    f"?batch={o.batch}&fields={o.field}"
)
expected = None


def samples():
    global expected
    stream = resume.Resumed(url)
    with tarfile.open(fileobj=stream, mode="r|") as tar:
        for member in tar:
            yield member.name.removesuffix("." + o.field), tar.extractfile(member).read()
    expected = int(stream.headers["Tarpon-Samples"])


# The URL is this rank's part already: tf.distribute must not cut it again.
off = tf.data.Options()
off.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
dataset = tf.data.Dataset.from_generator(
    samples, output_signature=(tf.TensorSpec((), tf.string), tf.TensorSpec((), tf.string))
).batch(o.batch).prefetch(tf.data.AUTOTUNE).with_options(off)

keys = [key for batch, _ in dataset for key in batch.numpy()]
print(f"tensorflow {tf.__version__}: {len(keys)} samples of {expected}, {len(set(keys))} different ones")
sys.exit(0 if len(keys) == expected else "the epoch is not whole")
