package io.tarpon.metadata.job;

import io.tarpon.metadata.disk.MovableFolder;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.StoredImage;
import io.tarpon.metadata.log.KafkaLog;
import io.tarpon.metadata.log.LocalFill;
import io.tarpon.metadata.view.RocksView;
import java.io.IOException;

/// Carries the log of a topic into the folder of one replica that followed it: every entry byte for byte at its
/// position, after those that were removed from its beginning. No replica may run.
///
/// The topic is shut first and stays so ([io.tarpon.metadata.log.TopicGate]). One that was closed by nobody could be
/// appended to by a replica that only stood still, and that is in no list of those that run; what it told others then
/// would be lost. It is kept, as it was at the move; a move back to it goes on from there.
///
/// Crash points (kill -9):
///
/// - **before the topic is shut**: nothing was done.
/// - **before the folder is switched**, which one rename does: the topic counts, and takes no entries. A service that
///   is started refuses it and says what to do: this move once more, or [MoveToKafka], which opens it again. What is
///   half made in the folder is made anew.
/// - **after that**: the local log counts; it was read back and compared before. A service that is set to `kafka`
///   refuses the folder, and those with other folders refuse the topic, as moves of other folders do: only where a move
///   was begun, by a file of the folder that is there before the topic is shut, it is finished or taken back.
///
/// A move that fails by itself before the switch opens the topic again.
public final class MoveToLocal {
    private static final long TOLD_EVERY = 1 << 10;
    private static final long VIEW_CACHE_BYTES = 4L << 20;

    private final LogPlaces places;
    private final Witness witness;

    public MoveToLocal(LogPlaces places, Witness witness) {
        this.places = places;
        this.witness = witness;
    }

    /// Where the folder holds the log already, nothing is left to do.
    ///
    /// @throws IOException the log is where it was
    public Moved run() throws IOException, InterruptedException {
        try (var folder = MovableFolder.open(places.folder())) {
            if (!folder.followsTopic()) {
                folder.finishMove();
                try (var local = LogPlaces.local(folder)) {
                    return new Moved(Moved.LOCAL, local.end(), local.begin(), 0, 0);
                }
            }
            places.requireNoReplica();
            if (folder.topic().id().isEmpty()) {
                throw new IOException("folder " + folder + " has never reached its topic, so whether that is the one"
                        + " to move cannot be told: start the service once, then stop it, and move again");
            }
            LogPlaces.putLeftoverAside(folder);
            try (var kafka = places.kafka(folder.topic())) {
                if (!folder.isMoving() && places.gate().isShut()) {
                    throw LogPlaces.leftByAnother(folder, kafka);
                }
                folder.beginMove();
                return move(folder, kafka);
            }
        }
    }

    private Moved move(MovableFolder folder, KafkaLog kafka) throws IOException, InterruptedException {
        requireView(folder, kafka.begin(), kafka.end());
        places.gate().shut();
        witness.reached(Witness.Step.TOPIC_SHUT);
        try {
            var moved = copy(folder, kafka);
            folder.countFreshLog();
            witness.reached(Witness.Step.SWITCHED);
            folder.finishMove();
            return moved;
        } catch (IOException | InterruptedException | RuntimeException e) {
            openAgain(folder, e);
            throw e;
        }
    }

    private void openAgain(MovableFolder folder, Exception reason) {
        try {
            if (folder.followsTopic()) {
                places.gate().open(MetadataLog.MAX_ENTRY_BYTES);
                folder.finishMove();
            }
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    /// Throws where the service could not go on with the log as it will be: what was removed from its beginning must be
    /// in the view.
    private void requireView(MovableFolder folder, long begin, long end) throws IOException {
        if (begin == 0 && !folder.hasView()) {
            return;
        }
        long revision;
        try (var view = RocksView.open(folder.view(), folder.libraries(), VIEW_CACHE_BYTES)) {
            revision = StoredImage.revision(view);
        }
        if (revision < begin) {
            throw new IOException("the log begins after entry " + begin + ", and the view in " + folder.view()
                    + " is of"
                    + " revision " + revision + ": start the service on this folder, so that it catches up, then stop"
                    + " it; or move with the folder of another replica");
        }
        if (revision > end) {
            throw new IOException("the log ends at entry " + end + ", and the view in " + folder.view() + " is of"
                    + " revision " + revision + ": the topic lost its end; bring it back, or start the service for what"
                    + " to do");
        }
    }

    private Moved copy(MovableFolder folder, KafkaLog kafka) throws IOException, InterruptedException {
        var end = LogPlaces.settledEnd(kafka);
        var begin = kafka.begin();
        witness.reached(Witness.Step.TOPIC_FOUND);
        var fresh = folder.freshLog();
        var bytes = 0L;
        try (var fill = LocalFill.open(fresh, folder.libraries(), begin);
                var entries = new EntryScan(kafka, begin, end)) {
            while (entries.hasNext()) {
                var entry = entries.next();
                fill.add(entry);
                bytes += entry.length;
                if (entries.position() % TOLD_EVERY == 0) {
                    witness.at("copied", entries.position(), end);
                }
            }
            fill.finish(places.group().publishedUpTo());
        }
        witness.reached(Witness.Step.COPIED);
        try (var local = LogPlaces.local(fresh, folder)) {
            if (local.begin() != begin || local.end() != end || kafka.end() != end) {
                throw new IOException("what was copied are entries " + (local.begin() + 1) + " to " + local.end()
                        + ", and " + kafka.name() + " has " + (begin + 1) + " to " + kafka.end() + ": move again");
            }
            EntryScan.requireSame(kafka, local, begin, end, witness);
        }
        witness.reached(Witness.Step.COMPARED);
        return new Moved(Moved.LOCAL, end, begin, end - begin, bytes);
    }
}
