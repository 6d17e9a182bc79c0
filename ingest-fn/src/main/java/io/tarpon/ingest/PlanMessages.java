package io.tarpon.ingest;

import java.io.IOException;
import java.util.List;

/// Where the messages for shard-fn go.
public interface PlanMessages {
    /// @param key `dataset/version/split/shard`
    /// @param value a structured CloudEvent
    record PlanMessage(String key, byte[] value) {}

    /// Afterwards all of them are in the topic. After an exception some may be; sending them again is harmless.
    void send(List<PlanMessage> messages) throws IOException;
}
