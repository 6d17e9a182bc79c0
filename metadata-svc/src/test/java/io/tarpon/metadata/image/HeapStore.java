package io.tarpon.metadata.image;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A store in memory. What another process would find in it is a [#copy()].
public final class HeapStore extends BufferedStore {
    private static final byte[] FIRST = {};
    /// No key is as long.
    private static final byte[] LAST = {-1, -1, -1, -1};

    private final NavigableMap<byte[], byte[]> values = new TreeMap<>(Arrays::compareUnsigned);

    @Override
    protected byte @Nullable [] committed(byte[] key) {
        return values.get(key);
    }

    @Override
    protected void scanCommitted(byte[] from, byte[] to, Visitor visitor) {
        for (var entry : values.subMap(from, true, to, false).entrySet()) {
            if (!visitor.visit(entry.getKey(), entry.getValue())) {
                return;
            }
        }
    }

    @Override
    protected void write(List<Range> dropped, Map<byte[], Optional<byte[]>> changed) {
        dropped.forEach(
                range -> values.subMap(range.from(), true, range.to(), false).clear());
        changed.forEach(
                (key, value) -> value.ifPresentOrElse(bytes -> values.put(key, bytes), () -> values.remove(key)));
    }

    /// What another process finds: all that is committed.
    public HeapStore copy() {
        var copy = new HeapStore();
        copy.values.putAll(values);
        return copy;
    }

    @Override
    public Frozen freeze() {
        var copy = copy();
        return new Frozen() {
            @Override
            public byte @Nullable [] get(byte[] key) {
                return copy.committed(key);
            }

            @Override
            public void scan(Visitor visitor) {
                copy.scanCommitted(FIRST, LAST, visitor);
            }

            @Override
            public void close() {
                // Nothing is held.
            }
        };
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
