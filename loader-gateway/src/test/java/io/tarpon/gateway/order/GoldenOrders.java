package io.tarpon.gateway.order;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// The vectors of `golden/p1.txt`, which `native-tests/src/test/python/p1.py` made and checks too.
final class GoldenOrders {
    static final String FILE = "golden/p1.txt";

    private GoldenOrders() {}

    static List<String> lines() throws IOException {
        try (InputStream in = GoldenOrders.class.getResourceAsStream("/" + FILE)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }

    /// The line with its result computed anew.
    static String recomputed(String line) {
        var words = line.split(" ");
        var seed = new EpochSeed(Long.parseLong(words[2]), Long.parseLong(words[3]), words[4]);
        words[words.length - 1] = switch (words[0]) {
            case "permutation" -> permuted(seed, words);
            case "order" -> ordered(seed, words);
            default -> throw new AssertionError("no such vector: " + line);
        };
        return String.join(" ", words);
    }

    private static String permuted(EpochSeed seed, String[] words) {
        var what = Arrays.stream(Permuted.values())
                .filter(one -> one.word().equals(words[1]))
                .findFirst()
                .orElseThrow();
        var permutation = seed.key(what).permutation(Long.parseLong(words[5]), Long.parseLong(words[6]));
        return Long.toString(permutation.at(Long.parseLong(words[7])));
    }

    private static String ordered(EpochSeed seed, String[] words) {
        var samples = Integer.parseInt(words[5]);
        var firsts = words[6].equals("-")
                ? new long[0]
                : Arrays.stream(words[6].split(",")).mapToLong(Long::parseLong).toArray();
        var order = switch (Shuffle.parse(words[1])) {
            case GLOBAL -> EpochOrder.global(seed, samples);
            case SHARD -> EpochOrder.shards(seed, SampleGroups.of(firsts, samples));
            case BLOCK -> EpochOrder.blocks(seed, SampleGroups.of(firsts, samples));
            case NONE -> EpochOrder.plain(samples);
        };
        var ordinals = Arrays.stream(EpochOrders.all(order)).mapToObj(Long::toString);
        return ordinals.collect(Collectors.joining(","));
    }
}
