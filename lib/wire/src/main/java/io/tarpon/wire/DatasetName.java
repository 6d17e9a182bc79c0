package io.tarpon.wire;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// The name of a dataset: `[a-z0-9][a-z0-9_-]{0,62}`.
public record DatasetName(@JsonValue String value) {
    @JsonCreator
    public DatasetName {
        Names.requireName("dataset", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
