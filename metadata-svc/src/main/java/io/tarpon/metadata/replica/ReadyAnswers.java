package io.tarpon.metadata.replica;

import io.tarpon.metadata.image.Lookup;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Answers to look-ups as the bytes that go out, for whoever asks next: so many bytes of them and no more. Who finds
/// one waits for nobody.
///
/// An answer says what the image says at every revision from its own up to the one that can be read when it is found.
/// Who takes that revision first, and looks for the answer then, has bytes that are exactly what the higher one of both
/// revisions says: nothing older than he was told before, and nothing newer than he is told with it.
///
/// Threads: one lock, this object's, for all that changes the table; [#find(String)] takes none. The races are with
/// replay, which drops under the write lock of the replica, before it lets anybody see the new revision:
///
/// - Read, then changed, then put in: [#reserve(Lookup, long)] is called where the image is read, under the read lock.
///   So whatever changes the answer finds it reserved, and drops that; the bytes that come later are left out.
/// - Found, then dropped, then sent: they are what the revision says that was taken before.
/// - The revision taken, then replayed, dropped, read and put in anew, then found: the answer's own revision is the
///   higher one then. It can be read already: what is replayed shows before the write lock is free.
/// - Dropped, and replay breaks or dies before the new revision shows: the answer is only missing.
public final class ReadyAnswers {
    /// Of one answer. Those of large datasets are lists, which have a budget of their own.
    public static final int MAX_BYTES = 64 << 10;

    /// What an answer takes besides its bytes and its path: some 200, in three maps.
    private static final int OVERHEAD_BYTES = 256;

    private final long mostBytes;
    private final Map<String, Ready> ready = new ConcurrentHashMap<>();
    /// The same answers, those that are looked at for leaving first in front. Guarded by this, as all below.
    private final LinkedHashMap<String, Ready> line = new LinkedHashMap<>();
    /// Of requests that are being answered.
    private final Map<String, Place> reserved = new HashMap<>();
    private long bytes;

    /// @param mostBytes of all answers, with what it takes to keep them; 0 for none
    public ReadyAnswers(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /// Never has an answer.
    public static ReadyAnswers none() {
        return new ReadyAnswers(0);
    }

    /// An answer, and the revision from which on it is so.
    public static final class Ready {
        private final long revision;
        private final byte[] body;
        /// Since it was last looked at for leaving. Written by anybody: one that is lost costs a place, no more.
        private boolean used;

        private Ready(long revision, byte[] body) {
            this.revision = revision;
            this.body = body;
        }

        public long revision() {
            return revision;
        }

        /// Shared by all who ask: not to be written to.
        public byte[] body() {
            return body;
        }
    }

    /// The place of an answer that was read and is not put in yet.
    public final class Place implements AutoCloseable {
        private final String path;
        private final long revision;

        private Place(String path, long revision) {
            this.path = path;
            this.revision = revision;
        }

        /// Puts the answer in, unless what it says was changed meanwhile.
        public void fill(byte[] body) {
            put(this, body);
        }

        /// Lets go of the place, where it is not filled.
        @Override
        public void close() {
            leave(this);
        }
    }

    /// @param path see [Lookup#path()]
    public Optional<Ready> find(String path) {
        var found = ready.get(path);
        if (found != null && !found.used) {
            found.used = true;
        }
        return Optional.ofNullable(found);
    }

    /// A place for the answer that is being read at this revision, for which the caller holds the read lock of the
    /// replica. Empty where it is there, or somebody else is about to put it in.
    public synchronized Optional<Place> reserve(Lookup lookup, long revision) {
        var path = lookup.path();
        if (mostBytes == 0 || line.containsKey(path) || reserved.containsKey(path)) {
            return Optional.empty();
        }
        var place = new Place(path, revision);
        reserved.put(path, place);
        return Optional.of(place);
    }

    /// None of these is found any more, nor put in by who has a place for it. Only by replay, see above.
    synchronized void drop(Collection<Lookup> outdated) {
        if (!line.isEmpty() || !reserved.isEmpty()) {
            for (var lookup : outdated) {
                var path = lookup.path();
                reserved.remove(path);
                remove(path, line.remove(path));
            }
        }
    }

    /// Drops everything: the image is another one.
    synchronized void dropAll() {
        reserved.clear();
        ready.clear();
        line.clear();
        bytes = 0;
    }

    synchronized long bytes() {
        return bytes;
    }

    private synchronized void put(Place place, byte[] body) {
        var cost = cost(place.path, body);
        if (reserved.remove(place.path, place) && body.length <= MAX_BYTES && cost <= mostBytes) {
            var answer = new Ready(place.revision, body);
            line.put(place.path, answer);
            ready.put(place.path, answer);
            bytes += cost;
            makeRoom();
        }
    }

    private synchronized void leave(Place place) {
        reserved.remove(place.path, place);
    }

    /// Those leave that nobody asked for since they were looked at last; each is passed over once at most, so this ends
    /// however much is asked for meanwhile.
    private void makeRoom() {
        for (var chances = line.size(); bytes > mostBytes; chances--) {
            var first = line.pollFirstEntry();
            var answer = first.getValue();
            if (answer.used && chances > 0) {
                answer.used = false;
                line.put(first.getKey(), answer);
            } else {
                remove(first.getKey(), answer);
            }
        }
    }

    /// Of one that is in line no more; null where it never was.
    private void remove(String path, @Nullable Ready answer) {
        if (answer != null) {
            ready.remove(path);
            bytes -= cost(path, answer.body);
        }
    }

    private static long cost(String path, byte[] body) {
        return (long) path.length() + body.length + OVERHEAD_BYTES;
    }
}
