package io.tarpon.metadata.replica;

import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.Image;
import java.util.function.Consumer;

/// Who is told what replay does, on the replaying thread.
///
/// @param answers from which replay drops what is not so any more
/// @param seen takes every event before anybody can read what it tells, under the lock: it must be quick
/// @param told takes every event that was not in the log yet when replay began, once it can be read here
/// @param loaded takes the image when it came from a snapshot, before anybody can read it, under the lock: it must
///     be quick
/// @param peers with whom the replica is compared
public record Audience(
        ReadyAnswers answers,
        Consumer<CommittedEvent> seen,
        Consumer<CommittedEvent> told,
        Consumer<Image> loaded,
        Peers peers) {
    /// Nobody.
    public static final Audience NONE = new Audience(ReadyAnswers.none(), _ -> {}, _ -> {}, _ -> {}, Peers.NONE);

    public Audience withAnswers(ReadyAnswers given) {
        return new Audience(given, seen, told, loaded, peers);
    }

    public Audience withSeen(Consumer<CommittedEvent> given) {
        return new Audience(answers, given, told, loaded, peers);
    }

    public Audience withLoaded(Consumer<Image> given) {
        return new Audience(answers, seen, told, given, peers);
    }

    public Audience withPeers(Peers given) {
        return new Audience(answers, seen, told, loaded, given);
    }
}
