package io.tarpon.metadata.node;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.tarpon.metadata.image.WindowDigest;
import java.util.List;

/// A sign of life, as one replica tells it to all: soft state, which is repeated, lapses, and decides about nothing
/// that is in the log. `kind` is its name on the topic.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Sign.Joined.class, name = "node-joined"),
    @JsonSubTypes.Type(value = Sign.Beat.class, name = "node-beat"),
    @JsonSubTypes.Type(value = Sign.Reading.class, name = "reader-reported"),
    @JsonSubTypes.Type(value = Sign.Listening.class, name = "replica-listening"),
})
public sealed interface Sign {
    /// Whose sign it is.
    String of();

    /// A node has joined.
    record Joined(String node) implements Sign {
        @Override
        public String of() {
            return node;
        }
    }

    /// A node lives, and holds that much.
    record Beat(String node, long blocks, long bytes) implements Sign {
        @Override
        public String of() {
            return node;
        }
    }

    /// A gateway has reads open on these versions, each as `demo/v1`.
    record Reading(String reader, List<String> versions) implements Sign {
        public Reading {
            versions = List.copyOf(versions);
        }

        @Override
        public String of() {
            return reader;
        }
    }

    /// A replica lives and hears itself.
    ///
    /// @param level the newest format of entries that it reads
    /// @param windows what the last windows of entries came to there
    record Listening(String replica, int level, List<WindowDigest> windows) implements Sign {
        public Listening {
            windows = List.copyOf(windows);
        }

        @Override
        public String of() {
            return replica;
        }
    }
}
