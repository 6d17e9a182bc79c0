package io.tarpon.metadata.job;

import io.tarpon.metadata.disk.MovableFolder;
import io.tarpon.metadata.disk.SnapshotFile;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.StoredImage;
import io.tarpon.metadata.log.LocalFill;
import io.tarpon.metadata.snapshot.SnapshotHeader;
import io.tarpon.metadata.snapshot.SnapshotReader;
import io.tarpon.metadata.view.RocksView;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/// Makes a folder with a log of its own out of a snapshot, where there is no metadata yet: the view is that of the
/// snapshot, and the log begins after its revision, without an entry. It is another log than the one that the snapshot
/// was of, with an id of its own: neither replicas, entries nor snapshots of that are ever taken for this one's. (A log
/// that had no id yet gets one with its first entry.) All that was told until then counts as published.
///
/// Crash points (kill -9): until it is done the folder says that a restore was begun, and no service opens it; another
/// restore begins from nothing. The snapshot is read whole, and found whole, before anything is made of it.
public final class Restore {
    private static final int LOG_ID_BYTES = 16;
    private static final long VIEW_CACHE_BYTES = 8L << 20;

    private final Path folder;
    private final Witness witness;

    public Restore(Path folder, Witness witness) {
        this.folder = folder;
        this.witness = witness;
    }

    /// @throws IOException there is metadata already, which stays as it is, or the file is no whole snapshot that this
    ///     build reads
    public Restored run(Path file) throws IOException, InterruptedException {
        SnapshotHeader header;
        try (var reader = open(file)) {
            header = reader.header();
            requireReadable(file, header);
            var _ = reader.read((key, value) -> {});
        }
        witness.reached(Witness.Step.READ);
        try (var held = MovableFolder.openToRestore(folder)) {
            if (!held.isRestoring()) {
                requireNothing(held);
            }
            held.beginRestore();
            var pairs = fill(held, file, header);
            witness.reached(Witness.Step.COPIED);
            try (var log = LocalFill.open(held.freshLog(), held.libraries(), header.revision())) {
                log.finish(header.revision());
            }
            if (held.hasLog()) {
                held.putAside(0);
            }
            held.finishRestore();
            witness.reached(Witness.Step.SWITCHED);
            return new Restored(header.revision(), pairs, SnapshotFile.bytes(file));
        }
    }

    private static SnapshotReader open(Path file) throws IOException {
        return new SnapshotReader(file.toString(), SnapshotFile.open(file));
    }

    private static void requireReadable(Path file, SnapshotHeader header) throws IOException {
        if (header.imageFormat() != StoredImage.FORMAT) {
            throw new UnknownFormatException(
                    file.toString(), "metadata view", header.imageFormat(), StoredImage.FORMAT);
        }
    }

    private void requireNothing(MovableFolder held) throws IOException {
        if (held.followsTopic()) {
            throw new IOException("folder " + held + " follows a log in Kafka: restore into a new folder, whose log is"
                    + " local, and carry that into Kafka then ('move kafka')");
        }
        if (!held.hasLog()) {
            return;
        }
        try (var log = LogPlaces.local(held);
                var view = RocksView.open(held.view(), held.libraries(), VIEW_CACHE_BYTES)) {
            var revision = Math.max(log.end(), StoredImage.revision(view));
            if (revision > 0) {
                throw new IOException("folder " + held + " holds metadata of revision " + revision + ": a snapshot is"
                        + " restored only where there is none; set tarpon.metadata.dir to an empty folder");
            }
        }
    }

    /// Returns how many pairs it has.
    private long fill(MovableFolder held, Path file, SnapshotHeader header) throws IOException {
        try (var view = RocksView.open(held.view(), held.libraries(), VIEW_CACHE_BYTES);
                var reader = open(file)) {
            var refill = new Image(view).refill();
            var pairs = reader.read(refill::put);
            if (refill.revision() != header.revision() || reader.header().revision() != header.revision()) {
                throw new CorruptFormatException(
                        file.toString(), "metadata view", "it holds revision " + refill.revision());
            }
            var id = newLogId();
            if (refill.finishAs(id)) {
                held.logId().follow(id);
            }
            view.sync();
            return pairs;
        }
    }

    private static String newLogId() {
        var bits = new byte[LOG_ID_BYTES];
        new SecureRandom().nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }
}
