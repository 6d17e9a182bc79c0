package io.tarpon.shard;

import java.util.List;

/// What became of one message. After any of them its offset may be committed; [Dead] first goes to the dead letters.
public sealed interface Outcome {
    /// Every value of [#result].
    List<String> RESULTS = List.of("sealed", "repeated", "dropped", "dead");

    /// The shard is sealed, by this call.
    record Sealed(long samples, long bytes) implements Outcome {}

    /// It was sealed before, with the same plan. Nothing was changed.
    record Repeated() implements Outcome {}

    /// Nobody wants it any more.
    record Dropped(String why) implements Outcome {}

    /// It cannot be built.
    record Dead(DeadReason reason, String detail) implements Outcome {}

    /// The `result` label of `tarpon_shard_built_total`.
    default String result() {
        return switch (this) {
            case Sealed _ -> "sealed";
            case Repeated _ -> "repeated";
            case Dropped _ -> "dropped";
            case Dead _ -> "dead";
        };
    }
}
