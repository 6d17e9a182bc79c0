package io.tarpon.wire.metadata;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// Whether a node's heartbeats arrive.
public enum NodeState {
    UP,
    LOST;

    @JsonValue
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    @JsonCreator
    public static NodeState parse(String text) {
        return switch (text) {
            case "up" -> UP;
            case "lost" -> LOST;
            default -> throw new IllegalArgumentException("unknown node state '" + text + "'");
        };
    }
}
