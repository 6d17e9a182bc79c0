package io.tarpon.ingest;

import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.letter.DeadLetter;
import io.tarpon.wire.letter.DeadLetterList;
import java.util.List;
import java.util.Optional;

/// The dead letters of this service and of shard-fn, to look at and to put back.
public interface DeadLetterBox {
    /// The topics that dead letters are in.
    List<String> TOPICS = List.of("tarpon.uploads.dlq", "tarpon.plans.dlq");

    /// Newest first, without their values.
    ///
    /// @param topic one of [#TOPICS]; empty for all
    /// @throws TarponException `not-ready` when the broker does not answer, `overloaded` when too many ask
    DeadLetterList list(Optional<String> topic, int limit);

    /// One letter with its value; empty when there is none at that place, or none any more.
    ///
    /// @throws TarponException as [#list]
    Optional<DeadLetter> read(String topic, int partition, long offset);

    /// Afterwards the message is in the topic that it came from once more, with its key, bytes and headers, and the
    /// letter says so. After an exception it may be; once more does no harm.
    ///
    /// @throws TarponException as [#list]; `conflict` when the message is no longer whole
    Optional<DeadLetter> retry(String topic, int partition, long offset);
}
