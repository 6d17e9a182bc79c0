package io.tarpon.metadata.image;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A store that holds the changes since the last commit in memory, above what is committed.
///
/// The changes that wait are those of one batch of entries: a few thousand small values, or what was deleted as a
/// range, which is held as its two ends.
public abstract class BufferedStore implements ImageStore {
    private final NavigableMap<byte[], Optional<byte[]>> changed = new TreeMap<>(Arrays::compareUnsigned);
    private final List<Range> dropped = new ArrayList<>();

    /// The keys from `from` up to, not including, `to`.
    protected record Range(byte[] from, byte[] to) {
        private boolean has(byte[] key) {
            return Arrays.compareUnsigned(from, key) <= 0 && Arrays.compareUnsigned(key, to) < 0;
        }
    }

    /// Of what is committed.
    protected abstract byte @Nullable [] committed(byte[] key);

    /// As [#scan], of what is committed.
    protected abstract void scanCommitted(byte[] from, byte[] to, Visitor visitor);

    /// Drops the ranges, then makes the changes, where an empty one deletes its key: all or nothing.
    ///
    /// @throws ImageStoreException nothing of it is done
    protected abstract void write(List<Range> dropped, Map<byte[], Optional<byte[]>> changed);

    @Override
    public final byte @Nullable [] get(byte[] key) {
        var change = changed.get(key);
        if (change != null) {
            return change.orElse(null);
        }
        return isDropped(key) ? null : committed(key);
    }

    @Override
    public final void scan(byte[] from, byte[] to, Visitor visitor) {
        if (Arrays.compareUnsigned(from, to) >= 0) {
            return;
        }
        var waiting = changed.subMap(from, true, to, false);
        if (waiting.isEmpty() && dropped.isEmpty()) {
            scanCommitted(from, to, visitor);
        } else {
            new Merge(waiting, visitor).run(from, to);
        }
    }

    @Override
    public final void put(byte[] key, byte[] value) {
        changed.put(key, Optional.of(value));
    }

    @Override
    public final void delete(byte[] key) {
        changed.put(key, Optional.empty());
    }

    @Override
    public final void deleteAll(byte[] from, byte[] to) {
        if (Arrays.compareUnsigned(from, to) < 0) {
            changed.subMap(from, true, to, false).clear();
            dropped.add(new Range(from, to));
        }
    }

    @Override
    public final void commit() {
        write(Collections.unmodifiableList(dropped), Collections.unmodifiableMap(changed));
        dropped.clear();
        changed.clear();
    }

    private boolean isDropped(byte[] key) {
        return dropped.stream().anyMatch(range -> range.has(key));
    }

    /// What waits and what is committed, as one sequence.
    private final class Merge {
        private final Visitor visitor;
        private final Iterator<Map.Entry<byte[], Optional<byte[]>>> waiting;
        private Map.@Nullable Entry<byte[], Optional<byte[]>> next;
        private boolean goesOn = true;

        private Merge(NavigableMap<byte[], Optional<byte[]>> waiting, Visitor visitor) {
            this.visitor = visitor;
            this.waiting = waiting.entrySet().iterator();
            advance();
        }

        private void run(byte[] from, byte[] to) {
            scanCommitted(from, to, this::committed);
            while (goesOn && next != null) {
                visit(next);
            }
        }

        private boolean committed(byte[] key, byte[] value) {
            while (goesOn && next != null && Arrays.compareUnsigned(next.getKey(), key) < 0) {
                visit(next);
            }
            if (goesOn && next != null && Arrays.equals(next.getKey(), key)) {
                visit(next);
            } else if (goesOn && !isDropped(key)) {
                goesOn = visitor.visit(key, value);
            }
            return goesOn;
        }

        private void visit(Map.Entry<byte[], Optional<byte[]>> change) {
            advance();
            if (change.getValue().isPresent()) {
                goesOn = visitor.visit(change.getKey(), change.getValue().get());
            }
        }

        private void advance() {
            next = waiting.hasNext() ? waiting.next() : null;
        }
    }
}
