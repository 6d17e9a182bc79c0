/// Owns an epoch as arithmetic: which sample comes at which position (order `p1`), which positions are in which body,
/// and which byte of a body lies in which of its samples. Pure.
///
/// # Order `p1`
///
/// What follows is all that is needed to write it anew; `golden/p1.txt` beside the tests holds vectors. All numbers are
/// unsigned 64-bit, sums and products are taken modulo 2^64, `^` is exclusive or, `>>` and `<<` fill with zeros. It
/// mixes well and is no cipher: whoever sees enough positions could compute the others.
///
/// ## Key
///
/// `H` = SHA-256 of this ASCII text, one space between the words, nothing in front and nothing behind:
///
/// ```
/// tarpon p1 WHAT SEED EPOCH DIGEST
/// ```
///
/// SEED and EPOCH are canonical decimals, DIGEST is the split's digest in 64 lower-case hex digits. WHAT says what is
/// permuted: `global` all samples of a split; `shards` its shards and `in-shard` the samples of one; `blocks` its
/// blocks and `in-block` the samples of one. `H[0]` to `H[3]` are the digest's four 8-byte numbers, big-endian.
///
/// A permutation belongs to a key, a group number `g` and a size `N`. `g` is 0 for `global`, `shards` and `blocks`.
/// Inside a group it is the group's number in the split, from 0 in the order of the ordinals; blocks in which no sample
/// begins are not counted. Six round keys, for i = 0 to 5:
///
/// ```
/// mix(z): z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
///         z = (z ^ (z >> 27)) * 0x94D049BB133111EB
///         return z ^ (z >> 31)
/// K[i] = mix(H[i mod 4] + mix(g + i * 0x9E3779B97F4A7C15))
/// ```
///
/// (`mix` is the finalizer of SplitMix64, Steele, Lea and Flood 2014.) So thousands of groups cost one SHA-256.
///
/// ## Permutation
///
/// N = 1 maps 0 to 0. Otherwise `w` is the number of bits of N - 1, at least 8; `a` = floor(w / 2) and `b` = w - a. A
/// number `x` below 2^w is cut into its upper `a` bits L and its lower `b` bits R, and six rounds of an unbalanced
/// Feistel network change the two in turn:
///
/// ```
/// f(k, v, bits): z = (v ^ k) * 0xBF58476D1CE4E5B9
///                z = (z ^ (z >> 32)) * 0x94D049BB133111EB
///                return z >> (64 - bits)
/// for i = 0, 2, 4:  L = L ^ f(K[i], R, a);  R = R ^ f(K[i + 1], L, b)
/// x = (L << b) | R
/// ```
///
/// This is done once, and again for as long as x is N or more (cycle walking: below two times on average from N = 129
/// on, 256 / N times for fewer). The x so found is where the position goes. The least width of 8 is for the small: over
/// 3 million seeds all orders of 2 to 5 things come equally often with it (chi-square, below 2 standard deviations);
/// with 6 they are 6 to 10 deviations off, with 5 more than 450.
///
/// ## The four shuffles
///
/// - `global`: ordinal = permutation(`global`, 0, N) of the position.
/// - `shard` and `block`: G groups with samples. Slot s holds group permutation(`shards` or `blocks`, 0, G) of s. Slots
///   follow each other without gaps; the j-th position of the slot of group g, with n samples of which the first has
///   ordinal f, has ordinal f + permutation(`in-shard` or `in-block`, g, n) of j.
/// - `none`: ordinal = position.
///
/// # Partition
///
/// See [Partition]; the words are those of contracts section 3.
@NullMarked
package io.tarpon.gateway.order;

import org.jspecify.annotations.NullMarked;
