package io.tarpon.wire.metadata;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// Where a version is in its life. Only a sealed one is visible to loaders.
public enum VersionState {
    PLANNING,
    BUILDING,
    SEALED,
    FAILED,
    REMOVED;

    @JsonValue
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    @JsonCreator
    public static VersionState parse(String text) {
        for (var state : values()) {
            if (state.wireName().equals(text)) {
                return state;
            }
        }
        throw new IllegalArgumentException("unknown version state '" + text + "'");
    }

    /// Nothing changes a version in this state any more, but its removal.
    public boolean isEnd() {
        return this != PLANNING && this != BUILDING;
    }
}
