"""Order p1 anew, from the documentation of the Java package io.tarpon.gateway.order alone.

p1.py VECTORS recomputes every line of loader-gateway/src/test/resources/golden/p1.txt; exit 1 where one differs.
"""
import hashlib
import sys


def mix(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def f(k, v, bits):
    z = (v ^ k) * 0xBF58476D1CE4E5B9 % 2**64
    return (z ^ z >> 32) * 0x94D049BB133111EB % 2**64 >> 64 - bits


def permutation(seed, what, group, size):
    """The function from position to number below size; seed is (seed, epoch, digest of the split)."""
    h = hashlib.sha256(f"tarpon p1 {what} {seed[0]} {seed[1]} {seed[2]}".encode()).digest()
    h = [int.from_bytes(h[i:i + 8], "big") for i in (0, 8, 16, 24)]
    k = [mix((h[i % 4] + mix((group + i * 0x9E3779B97F4A7C15) % 2**64)) % 2**64) for i in range(6)]
    w = max(8, (size - 1).bit_length())
    a, b = w // 2, w - w // 2

    def at(x):
        while size > 1:
            left, right = x >> b, x & 2**b - 1
            for i in (0, 2, 4):
                left ^= f(k[i], right, a)
                right ^= f(k[i + 1], left, b)
            x = left << b | right
            if x < size:
                return x
        return 0
    return at


def ordinals(shuffle, seed, firsts, size):
    """All ordinals in order; firsts are those of the shards or blocks, empty where the shuffle knows no groups."""
    if shuffle == "none":
        return list(range(size))
    if shuffle == "global":
        return list(map(permutation(seed, "global", 0, size), range(size)))
    found, ends, outer = [], firsts[1:] + [size], permutation(seed, shuffle + "s", 0, len(firsts))
    for g in map(outer, range(len(firsts))):
        inner = permutation(seed, "in-" + shuffle, g, ends[g] - firsts[g])
        found += [firsts[g] + inner(j) for j in range(ends[g] - firsts[g])]
    return found


def recomputed(line):
    kind, what, seed, epoch, digest, *rest = line.split()
    if kind == "permutation":  # WHAT SEED EPOCH DIGEST GROUP SIZE POSITION RESULT
        group, size, position = map(int, rest[:3])
        rest[3] = str(permutation((seed, epoch, digest), what, group, size)(position))
    else:  # order SHUFFLE SEED EPOCH DIGEST SIZE FIRST,FIRST,... ORDINAL,ORDINAL,...
        firsts = [int(first) for first in rest[1].split(",") if first != "-"]
        rest[2] = ",".join(map(str, ordinals(what, (seed, epoch, digest), firsts, int(rest[0]))))
    return " ".join([kind, what, seed, epoch, digest, *rest])


if __name__ == "__main__":
    with open(sys.argv[1], encoding="ascii") as file:
        lines = [line.strip() for line in file if not line.startswith("#")]
    wrong = [line for line in lines if recomputed(line) != line]
    print(f"{len(lines)} vectors, {len(wrong)} differ", *wrong, sep="\n")
    sys.exit(1 if wrong or not lines else 0)
