package io.tarpon.wire;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// The name of a shard inside its split: `shard-` and at least six digits, from `shard-000000`.
public record ShardName(int index) implements Comparable<ShardName> {
    private static final String PREFIX = "shard-";
    private static final int MIN_DIGITS = 6;

    public ShardName {
        if (index < 0) {
            throw new IllegalArgumentException("shard index " + index + " is negative");
        }
    }

    /// Reads exactly the form that [#toString] writes; `shard-0` is no shard.
    @JsonCreator
    public static ShardName parse(String text) {
        if (text.startsWith(PREFIX)) {
            var digits = text.substring(PREFIX.length());
            if (digits.length() >= MIN_DIGITS
                    && digits.length() <= 9
                    && digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
                var name = new ShardName(Integer.parseInt(digits));
                if (name.toString().equals(text)) {
                    return name;
                }
            }
        }
        throw new IllegalArgumentException(
                "shard '" + Names.printable(text) + "' is not 'shard-' and six digits, such as shard-000000");
    }

    @Override
    public int compareTo(ShardName other) {
        return Integer.compare(index, other.index);
    }

    @Override
    @JsonValue
    public String toString() {
        var digits = Integer.toString(index);
        return PREFIX + "0".repeat(Math.max(0, MIN_DIGITS - digits.length())) + digits;
    }
}
