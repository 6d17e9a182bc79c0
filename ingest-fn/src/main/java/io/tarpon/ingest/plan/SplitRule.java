package io.tarpon.ingest.plan;

import io.tarpon.wire.SplitName;
import java.math.BigDecimal;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What a specification says of splits: `auto`, `none`, or shares such as `train=0.9,val=0.1` (contracts section 1).
public sealed interface SplitRule {
    /// More splits than anyone names by hand, and few enough for one byte.
    int MAX_SPLITS = 64;

    /// The one spelling of the rule, which [#parse] reads.
    String text();

    /// By the names of the top-level folders, where all that matter are names of splits.
    record Auto() implements SplitRule {
        @Override
        public String text() {
            return "auto";
        }
    }

    /// One split, `train`.
    record None() implements SplitRule {
        @Override
        public String text() {
            return "none";
        }
    }

    /// By a keyed hash of the sample key. In order of name, whatever order they were written in.
    record Shares(List<Share> shares) implements SplitRule {
        public Shares {
            shares = List.copyOf(shares);
        }

        @Override
        public String text() {
            return shares.stream()
                    .map(share -> share.split() + "=" + share.part().toPlainString())
                    .collect(Collectors.joining(","));
        }
    }

    /// @param part above 0, at most 1, without zeros at its end; those of one rule add up to 1
    record Share(SplitName split, BigDecimal part) {}

    /// Throws [IllegalArgumentException] with what is wrong and what would be right.
    static SplitRule parse(String text) {
        return switch (text) {
            case "auto" -> new Auto();
            case "none" -> new None();
            default -> shares(text);
        };
    }

    private static Shares shares(String text) {
        var byName = new TreeMap<String, Share>();
        for (var part : text.split(",", MAX_SPLITS + 1)) {
            var share = share(part);
            if (byName.put(share.split().value(), share) != null) {
                throw wrong("split " + share.split() + " is given twice");
            }
        }
        if (byName.size() > MAX_SPLITS) {
            throw wrong("more than " + MAX_SPLITS + " splits are given");
        }
        var sum = byName.values().stream().map(Share::part).reduce(BigDecimal.ZERO, BigDecimal::add);
        if (sum.subtract(BigDecimal.ONE).abs().compareTo(new BigDecimal("0.000001")) > 0) {
            throw wrong("the shares add up to " + sum.toPlainString() + ", not to 1");
        }
        return new Shares(List.copyOf(byName.values()));
    }

    private static Share share(String text) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            throw wrong("'" + shown(text) + "' is not a share");
        }
        var number = text.substring(equals + 1);
        if (!number.matches("[0-9]{1,3}(\\.[0-9]{1,18})?|\\.[0-9]{1,18}")) {
            throw wrong("'" + shown(number) + "' is not a decimal above 0 and at most 1");
        }
        var part = new BigDecimal(number).stripTrailingZeros();
        if (part.signum() <= 0 || part.compareTo(BigDecimal.ONE) > 0) {
            throw wrong("the share " + number + " is not above 0 and at most 1");
        }
        return new Share(new SplitName(text.substring(0, equals)), part);
    }

    private static IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(
                "splits: " + what + "; write auto, none, or shares that add up to 1, such as train=0.9,val=0.1");
    }

    private static String shown(String text) {
        return text.substring(0, Math.min(text.length(), 80)).replaceAll("\\p{Cntrl}", "?");
    }
}
