package io.tarpon.gateway.disk;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import io.tarpon.gateway.order.SparseSums;
import io.tarpon.gateway.order.SparseSumsFormat;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/// Sums of epochs' bodies, each in a file named after its body's ETag: found again after a restart, up to a number of
/// bytes on disk, the least recently used deleted first. All of it can be computed again, so nothing here fails a
/// request: what cannot be read or written is not there, and a line of the log says so.
///
/// On disk is `<digits>.sums`, whole, or `<digits>.<number>.tmp` while it is written; the rename makes the one of the
/// other. A crash leaves at most temporary files, which the next start removes. Nothing is synced: a file that lost its
/// bytes to a power cut fails its CRC, is deleted, and computed again. A file of another format stays as it is, beside
/// the bound.
///
/// Sums that are in use are elsewhere than on the heap, too, where they are long: in [UnnamedFiles], not over the named
/// file, which an operator might cut.
///
/// Threads: any, but none that must not block. `held` is guarded by this object's lock, files are not: one may vanish
/// between a look at `held` and its opening, which is as if it had never been, and of two that write the same sums the
/// later rename wins. A folder shared by two gateways costs them files, not answers.
public final class SumsFolder {
    private static final Logger LOG = Logger.getLogger(SumsFolder.class);
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{8,64}\\.sums");
    private static final Pattern TEMPORARY = Pattern.compile("[0-9a-f]{8,64}\\.[0-9]+\\.tmp");

    /// A file takes whole blocks of its file system.
    private static final long DISK_BLOCK = 4096;

    private final Path folder;
    private final long maxBytes;
    private final UnnamedFiles unnamed;
    private final AtomicBoolean failing = new AtomicBoolean();

    /// Bytes by file name, the least recently used first.
    private final LinkedHashMap<String, Long> held = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;
    private long temporaries;

    private SumsFolder(Path folder, long maxBytes) throws IOException {
        this.folder = folder;
        this.maxBytes = maxBytes;
        this.unnamed = UnnamedFiles.open(folder, maxBytes);
        list();
    }

    /// Makes the folder where there is none, and finds what is in it.
    ///
    /// @param maxBytes of the named files; those without a name may take twice as much beside them
    public static SumsFolder open(Path folder, long maxBytes) throws IOException {
        return new SumsFolder(folder, maxBytes);
    }

    /// The sums of a body; empty where none are held.
    ///
    /// @param digits of the body's ETag, lower-case hex
    public Optional<SparseSums> read(String digits) {
        var name = name(digits);
        var file = folder.resolve(name);
        try {
            var sums = SparseSumsFormat.decode(file.toString(), Files.readAllBytes(file));
            used(name, onDisk(SparseSumsFormat.encodedBytes(sums)));
            return Optional.of(sums);
        } catch (NoSuchFileException e) {
            forget(name);
        } catch (UnknownFormatException e) {
            forget(name);
            LOG.warnf("sums of another build are left alone file=%s found=%d known=%d", file, e.found(), e.known());
        } catch (CorruptFormatException e) {
            LOG.warnf("damaged sums are computed again reason=%s", e.getMessage());
            delete(name);
        } catch (IOException e) {
            complain("read", e);
        }
        return Optional.empty();
    }

    /// Afterwards the sums are held, unless they are larger than all that may be, those of another build are in their
    /// place, or they could not be written, of which a line of the log says why.
    ///
    /// @param digits of the body's ETag, lower-case hex
    public void write(String digits, SparseSums sums) {
        var name = name(digits);
        var encoded = SparseSumsFormat.encode(sums);
        if (onDisk(encoded.length) > maxBytes || isOfAnotherBuild(name)) {
            return;
        }
        var temporary = folder.resolve(digits + "." + nextTemporary() + ".tmp");
        try {
            forget(name);
            makeRoom(onDisk(encoded.length));
            Files.write(temporary, encoded);
            Files.move(temporary, folder.resolve(name), ATOMIC_MOVE);
            hold(name, onDisk(encoded.length));
            makeRoom(0);
            failing.set(false);
        } catch (IOException e) {
            complain("written", e);
            remove(temporary);
        }
    }

    /// The same sums with at most 4 KiB of them on the heap, where the disk allows it.
    public SparseSums offHeap(SparseSums sums) {
        if (sums.markBytes() <= DISK_BLOCK) {
            return sums;
        }
        var marks = ByteBuffer.allocate(Math.toIntExact(sums.markBytes())).order(ByteOrder.nativeOrder());
        sums.copyMarks(marks.asLongBuffer());
        try {
            return sums.over(unnamed.moveNow(marks).asLongBuffer());
        } catch (IOException e) {
            complain("moved off the heap", e);
            return sums;
        }
    }

    private void list() throws IOException {
        var found = new ArrayList<Found>();
        try (var files = Files.newDirectoryStream(folder)) {
            for (var file : files) {
                var name = file.getFileName().toString();
                if (TEMPORARY.matcher(name).matches()) {
                    remove(file);
                } else if (NAME.matcher(name).matches() && Files.isRegularFile(file)) {
                    found(name, file).ifPresent(found::add);
                }
            }
        }
        found.sort(Comparator.comparing(Found::used));
        found.forEach(file -> hold(file.name, file.bytes));
        makeRoom(0);
    }

    /// Empty where another gateway deleted it meanwhile.
    private static Optional<Found> found(String name, Path file) throws IOException {
        try {
            return Optional.of(new Found(name, onDisk(Files.size(file)), Files.getLastModifiedTime(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private record Found(String name, long bytes, FileTime used) {}

    private void makeRoom(long wanted) {
        for (var oldest = oldest(wanted); oldest.isPresent(); oldest = oldest(wanted)) {
            if (isOfAnotherBuild(oldest.get())) {
                forget(oldest.get());
            } else {
                delete(oldest.get());
            }
        }
    }

    /// The file that has to go before so many bytes have room.
    private synchronized Optional<String> oldest(long wanted) {
        return bytes + wanted <= maxBytes || held.isEmpty()
                ? Optional.empty()
                : Optional.of(held.firstEntry().getKey());
    }

    private boolean isOfAnotherBuild(String name) {
        var file = folder.resolve(name);
        try (var in = Files.newInputStream(file)) {
            return SparseSumsFormat.isOfAnotherBuild(in.readNBytes(SparseSumsFormat.HEAD_BYTES));
        } catch (IOException e) {
            return false;
        }
    }

    private synchronized void hold(String name, long size) {
        var before = held.put(name, size);
        bytes += size - (before == null ? 0 : before);
    }

    /// Also for the order after a restart; that is kept as well as it can be.
    private void used(String name, long size) {
        hold(name, size);
        try {
            Files.setLastModifiedTime(folder.resolve(name), FileTime.from(Instant.now()));
        } catch (IOException e) {
            LOG.debugf("sums not marked as used file=%s error=%s", name, e);
        }
    }

    private synchronized void forget(String name) {
        var before = held.remove(name);
        bytes -= before == null ? 0 : before;
    }

    private synchronized long nextTemporary() {
        return temporaries++;
    }

    private void delete(String name) {
        forget(name);
        remove(folder.resolve(name));
    }

    private void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            complain("deleted", e);
        }
    }

    /// Once, until a write succeeds again.
    private void complain(String what, IOException e) {
        if (failing.compareAndSet(false, true)) {
            LOG.warnf(
                    "sums cannot be %s, they are computed or kept on the heap as needed folder=%s error=%s",
                    what, folder, e);
        }
    }

    private static String name(String digits) {
        var name = digits + ".sums";
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("no digits of an ETag: " + digits);
        }
        return name;
    }

    private static long onDisk(long size) {
        return (size + DISK_BLOCK - 1) / DISK_BLOCK * DISK_BLOCK;
    }
}
