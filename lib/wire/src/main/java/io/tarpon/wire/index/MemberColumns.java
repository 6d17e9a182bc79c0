package io.tarpon.wire.index;

import io.tarpon.wire.tar.Ustar;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// All extensions of a shard in byte order, and per sample those it has. Common extensions are asked one by one;
/// rare ones are also listed by sample, so that one sample costs the same however many extensions the shard has.
final class MemberColumns {
    private final List<ExtensionColumn> columns;
    private final Map<String, Integer> numbers;
    private final int[] common;
    private final IntBuffer rareStart;
    private final IntBuffer rareColumn;

    private MemberColumns(
            List<ExtensionColumn> columns,
            Map<String, Integer> numbers,
            int[] common,
            IntBuffer rareStart,
            IntBuffer rareColumn) {
        this.columns = columns;
        this.numbers = numbers;
        this.common = common;
        this.rareStart = rareStart;
        this.rareColumn = rareColumn;
    }

    static MemberColumns of(int samples, List<ExtensionColumn> columns) {
        Map<String, Integer> numbers = new HashMap<>();
        IntColumn dense = new IntColumn();
        for (int i = 0; i < columns.size(); i++) {
            numbers.put(columns.get(i).extension(), i);
            if (!columns.get(i).presence().sparse()) {
                dense.add(i);
            }
        }
        int[] rareStarts = dense.size() == columns.size() ? new int[0] : rareStarts(samples, columns);
        return new MemberColumns(
                List.copyOf(columns),
                numbers,
                dense.toArray(),
                IntBuffer.wrap(rareStarts),
                IntBuffer.wrap(rareColumns(rareStarts, columns)));
    }

    /// The same over columns that `place` gives for these.
    MemberColumns over(UnaryOperator<IntBuffer> place) {
        List<ExtensionColumn> moved =
                columns.stream().map(column -> column.over(place)).toList();
        return new MemberColumns(moved, numbers, common, place.apply(rareStart), place.apply(rareColumn));
    }

    List<ExtensionColumn> columns() {
        return columns;
    }

    /// Number of the extension in byte order, or -1.
    int number(String extension) {
        return numbers.getOrDefault(extension, -1);
    }

    /// Numbers of the extensions that a sample has, ascending.
    int[] of(int sample) {
        int rareFrom = rareStart.limit() == 0 ? 0 : rareStart.get(sample);
        int rareTo = rareStart.limit() == 0 ? 0 : rareStart.get(sample + 1);
        int[] have = new int[common.length + rareTo - rareFrom];
        int size = 0;
        int rare = rareFrom;
        for (int column : common) {
            while (rare < rareTo && rareColumn.get(rare) < column) {
                have[size++] = rareColumn.get(rare++);
            }
            if (columns.get(column).presence().rank(sample) >= 0) {
                have[size++] = column;
            }
        }
        while (rare < rareTo) {
            have[size++] = rareColumn.get(rare++);
        }
        return size == have.length ? have : Arrays.copyOf(have, size);
    }

    /// Tar bytes of every sample, in order.
    long[] sampleLengths(int samples) {
        long[] lengths = new long[samples];
        for (ExtensionColumn column : columns) {
            int rank = 0;
            for (int sample : column.presence().ordinals()) {
                lengths[sample] += Ustar.memberLength(column.sizeAt(rank++));
            }
        }
        return lengths;
    }

    long columnBytes() {
        long bytes = 4L * (rareStart.limit() + rareColumn.limit());
        for (ExtensionColumn column : columns) {
            bytes += column.columnBytes();
        }
        return bytes;
    }

    private static int[] rareStarts(int samples, List<ExtensionColumn> columns) {
        int[] starts = new int[samples + 1];
        for (ExtensionColumn column : columns) {
            if (column.presence().sparse()) {
                for (int sample : column.presence().ordinals()) {
                    starts[sample + 1]++;
                }
            }
        }
        for (int i = 0; i < samples; i++) {
            starts[i + 1] += starts[i];
        }
        return starts;
    }

    private static int[] rareColumns(int[] rareStarts, List<ExtensionColumn> columns) {
        if (rareStarts.length == 0) {
            return new int[0];
        }
        int[] bySample = new int[rareStarts[rareStarts.length - 1]];
        int[] next = rareStarts.clone();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).presence().sparse()) {
                for (int sample : columns.get(i).presence().ordinals()) {
                    bySample[next[sample]++] = i;
                }
            }
        }
        return bySample;
    }
}
