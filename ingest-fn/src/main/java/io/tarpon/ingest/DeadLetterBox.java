package io.tarpon.ingest;

import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.letter.DeadLetter;
import io.tarpon.wire.letter.DeadLetterList;
import io.tarpon.wire.letter.LettersPutBack;
import java.util.List;
import java.util.Optional;

/// The dead letters of this service and of shard-fn, to look at and to put back.
public interface DeadLetterBox {
    /// The topics that dead letters are in.
    List<String> TOPICS = List.of("tarpon.uploads.dlq", "tarpon.plans.dlq");

    /// Newest first, without their values.
    ///
    /// @param topics of [#TOPICS]
    /// @param before where to go on: of each partition named here, only letters before that place are listed
    /// @throws TarponException `not-ready` when the broker does not answer in time, `overloaded` when too many ask
    DeadLetterList list(List<String> topics, List<LetterPlace> before, int limit);

    /// One letter with its value; empty when there is none at that place, or none any more.
    ///
    /// @throws TarponException as [#list]
    Optional<DeadLetter> read(LetterPlace place);

    /// Afterwards the message is in the topic that it came from once more, with its key, bytes and headers, and the
    /// letter says so. After an exception it may be; once more does no harm.
    ///
    /// @throws TarponException as [#list]; `conflict` when the message is no longer whole
    Optional<DeadLetter> retry(LetterPlace place);

    /// Afterwards at most so many messages whose letters were never put back are in the topics that they came from
    /// once more. Letters that come meanwhile are not among them, so that poison is not put back again and again.
    /// After an exception some may be back; they are known to be, or come once more.
    ///
    /// @param topics of [#TOPICS]
    /// @param rest where an earlier call stopped; empty to begin with all that is there
    /// @throws TarponException as [#list]
    LettersPutBack retryAll(List<String> topics, List<LetterRange> rest, int most);
}
