package io.tarpon.metadata.job;

import io.tarpon.metadata.disk.MovableFolder;
import io.tarpon.metadata.entry.FollowedTopic;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.metadata.log.TopicFill;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Carries the log of a folder into a topic: every entry byte for byte at its position, so that revisions, the view
/// and the identity of the log stay what they are. Where the log was cut at its beginning, the topic is filled up to
/// there with something that is then removed, 100,000 in a second or two. No service may run on either.
///
/// Crash points (kill -9), of which each move that follows goes on from where this one came to:
///
/// - **before the folder is switched**, which one rename does: the local log counts, and the service goes on with
///   it. The topic has the first entries of the log, whole or not, and no replica takes it for a log while it is
///   filled ([io.tarpon.metadata.log.TopicGate]). When the service has appended meanwhile, they still are its first.
/// - **after that**: the topic counts. It has everything: it was read back and compared before. A service that is set
///   to `local` refuses the folder, and until the topic takes entries, one that is set to `kafka` refuses that, and
///   says to move again. What is left then is to put the local log aside, by its name.
///
/// A topic that has anything else is refused, and stays as it is. The mark of what is published is taken along before
/// the switch, so it is behind, never ahead.
public final class MoveToKafka {
    private static final long TOLD_EVERY = 1 << 10;

    private final LogPlaces places;
    private final Witness witness;

    public MoveToKafka(LogPlaces places, Witness witness) {
        this.places = places;
        this.witness = witness;
    }

    /// Where the folder follows the topic already, it does what a broken-off move left to do: a topic that was shut, to
    /// move back, takes entries again.
    ///
    /// @throws IOException the log is where it was
    public Moved run() throws IOException, InterruptedException {
        try (var folder = MovableFolder.open(places.folder())) {
            if (folder.followsTopic()) {
                return stay(folder);
            }
            places.requireNoReplica();
            folder.beginMove();
            var moved = move(folder);
            folder.finishMove();
            putLeftoverAside(folder);
            return moved;
        }
    }

    /// It has moved: that its old log cannot be renamed changes nothing of that.
    private void putLeftoverAside(MovableFolder folder) {
        try {
            LogPlaces.putLeftoverAside(folder);
        } catch (IOException e) {
            witness.warn("the log that counts no more stays under its name in " + folder + ": " + e.getMessage());
        }
    }

    private Moved stay(MovableFolder folder) throws IOException, InterruptedException {
        putLeftoverAside(folder);
        try (var kafka = places.kafka(folder.topic())) {
            if (folder.isMoving()) {
                places.gate().open(MetadataLog.MAX_ENTRY_BYTES);
                folder.finishMove();
            } else if (places.gate().isShut()) {
                throw LogPlaces.leftByAnother(folder, kafka);
            }
            return new Moved(Moved.KAFKA, kafka.end(), kafka.begin(), 0, 0);
        }
    }

    private Moved move(MovableFolder folder) throws IOException, InterruptedException {
        var found = new Found();
        try (var local = LogPlaces.local(folder)) {
            var longest = longest(local);
            try (var kafka = places.kafka(found)) {
                var end = LogPlaces.settledEnd(kafka);
                var isLeft =
                        folder.topic().id().equals(found.id()) && places.gate().isShut();
                requireFirstOf(local, kafka, end, isLeft);
                witness.reached(Witness.Step.TOPIC_FOUND);
                places.gate().openToFill(longest);
                witness.reached(Witness.Step.TOPIC_OPENED);
                var bytes = fill(local, end, longest);
                witness.reached(Witness.Step.COPIED);
                var copiedFrom = Math.max(end, local.begin());
                requireEnd(kafka, local.end());
                EntryScan.requireSame(local, kafka, copiedFrom, local.end(), witness);
                witness.reached(Witness.Step.COMPARED);
                kafka.trim(local.begin());
                witness.reached(Witness.Step.CUT);
                places.group().publishedUpTo(local.publishedUpTo());
                witness.reached(Witness.Step.MARKED);
                folder.countTopic(found.required());
                witness.reached(Witness.Step.SWITCHED);
                places.gate().open(longest);
                return new Moved(Moved.KAFKA, local.end(), local.begin(), local.end() - copiedFrom, bytes);
            }
        }
    }

    /// What entries of before had no bound are longer than any today.
    private int longest(LocalLog local) throws IOException, InterruptedException {
        var longest = MetadataLog.MAX_ENTRY_BYTES;
        try (var entries = new EntryScan(local, local.begin(), local.end())) {
            while (entries.hasNext()) {
                longest = Math.max(longest, entries.next().length);
                tell("read", entries.position(), local);
            }
        }
        return longest;
    }

    /// Throws unless all that the topic holds are the first entries of the log, or stands for what was removed from
    /// it.
    ///
    /// @param isLeft whether it is the topic that this log left before: nobody appended to it since
    private void requireFirstOf(LocalLog local, MetadataLog kafka, long end, boolean isLeft)
            throws IOException, InterruptedException {
        var begin = kafka.begin();
        if (end > local.end() || begin > local.begin()) {
            throw stranger(
                    kafka,
                    "it has entries " + (begin + 1) + " to " + end + ", and " + local.name() + " has "
                            + (local.begin() + 1) + " to " + local.end());
        }
        if (end > local.begin()) {
            try {
                EntryScan.requireSame(local, kafka, local.begin(), end, witness);
            } catch (EntryScan.DifferentException e) {
                throw stranger(kafka, String.valueOf(e.getMessage()));
            }
            return;
        }
        if (isLeft) {
            return;
        }
        try (var entries = new EntryScan(kafka, begin, end)) {
            while (entries.hasNext()) {
                if (!TopicFill.isFiller(entries.next())) {
                    throw stranger(
                            kafka,
                            "it ends with entry " + end + ", which " + local.name()
                                    + " has no more, so whether it is the same log cannot be told");
                }
            }
        }
    }

    private static IOException stranger(MetadataLog kafka, String why) {
        return new IOException(kafka.name() + " holds what is not of this log: " + why
                + "; delete the topic, or set tarpon.metadata.kafka.topic to another one, then move again");
    }

    private static void requireEnd(MetadataLog kafka, long wanted) throws IOException {
        if (kafka.end() != wanted) {
            throw new IOException(kafka.name() + " ends at entry " + kafka.end() + ", not at " + wanted
                    + ": somebody else appends to it; stop that, delete the topic, and move again");
        }
    }

    /// Returns bytes of entries that were copied.
    private long fill(LocalLog local, long end, int longest) throws IOException, InterruptedException {
        try (var fill = new TopicFill(places.topic(), end, longest)) {
            for (var at = end; at < local.begin(); at++) {
                fill.addFiller();
                tell("filled", at, local);
            }
            var bytes = 0L;
            try (var entries = new EntryScan(local, Math.max(end, local.begin()), local.end())) {
                while (entries.hasNext()) {
                    var entry = entries.next();
                    fill.add(entry);
                    bytes += entry.length;
                    tell("copied", entries.position(), local);
                }
            }
            fill.finish();
            return bytes;
        }
    }

    private void tell(String what, long done, MetadataLog of) throws IOException {
        if (done % TOLD_EVERY == 0) {
            witness.at(what, done, of.end());
        }
    }

    /// The topic that was found, whatever its id.
    private static final class Found implements FollowedTopic {
        private volatile @Nullable String id;

        @Override
        public Optional<String> id() {
            return Optional.ofNullable(id);
        }

        @Override
        public void follow(String found) {
            id = found;
        }

        String required() {
            return id().orElseThrow(() -> new IllegalStateException("a topic that was reached has an id"));
        }
    }
}
