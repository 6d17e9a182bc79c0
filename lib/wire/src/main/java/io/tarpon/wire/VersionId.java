package io.tarpon.wire;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// A version of a dataset: `v1`, `v2`, … Numbers count from 1 and are never given twice.
public record VersionId(int number) implements Comparable<VersionId> {
    public VersionId {
        if (number < 1) {
            throw new IllegalArgumentException("version number " + number + " is below 1");
        }
    }

    /// Reads `v1`; `latest` is no version but a question.
    @JsonCreator
    public static VersionId parse(String text) {
        var number = text.startsWith("v") ? Names.canonicalDecimal(text.substring(1)) : -1;
        if (number < 1) {
            throw new IllegalArgumentException(
                    "version '" + Names.printable(text) + "' is not 'v' and a decimal from 1, such as v1");
        }
        return new VersionId(number);
    }

    @Override
    public int compareTo(VersionId other) {
        return Integer.compare(number, other.number);
    }

    @Override
    @JsonValue
    public String toString() {
        return "v" + number;
    }
}
