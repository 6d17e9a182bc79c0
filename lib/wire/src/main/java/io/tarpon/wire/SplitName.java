package io.tarpon.wire;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// The name of a split: `[a-z0-9][a-z0-9_-]{0,62}`.
public record SplitName(@JsonValue String value) {
    @JsonCreator
    public SplitName {
        Names.requireName("split", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
