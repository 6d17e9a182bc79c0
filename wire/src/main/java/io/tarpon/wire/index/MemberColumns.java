package io.tarpon.wire.index;

import io.tarpon.wire.tar.Ustar;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// All extensions of a shard in byte order, and per sample those it has. Common extensions are asked one by one;
/// rare ones are also listed by sample, so that one sample costs the same however many extensions the shard has.
final class MemberColumns {
    private final List<ExtensionColumn> columns;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final int[] common;
    private final int[] rareStart;
    private final int[] rareColumn;

    MemberColumns(int samples, List<ExtensionColumn> columns) {
        this.columns = List.copyOf(columns);
        IntColumn dense = new IntColumn();
        for (int i = 0; i < columns.size(); i++) {
            numbers.put(columns.get(i).extension(), i);
            if (!columns.get(i).presence().sparse()) {
                dense.add(i);
            }
        }
        this.common = dense.toArray();
        this.rareStart = rareStarts(samples);
        this.rareColumn = rareColumns(samples);
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
        int rareFrom = rareStart.length == 0 ? 0 : rareStart[sample];
        int rareTo = rareStart.length == 0 ? 0 : rareStart[sample + 1];
        int[] have = new int[common.length + rareTo - rareFrom];
        int size = 0;
        int rare = rareFrom;
        for (int column : common) {
            while (rare < rareTo && rareColumn[rare] < column) {
                have[size++] = rareColumn[rare++];
            }
            if (columns.get(column).presence().rank(sample) >= 0) {
                have[size++] = column;
            }
        }
        while (rare < rareTo) {
            have[size++] = rareColumn[rare++];
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

    long memoryBytes() {
        long bytes = 4L * (common.length + rareStart.length + rareColumn.length);
        for (ExtensionColumn column : columns) {
            bytes += column.memoryBytes();
        }
        return bytes;
    }

    private int[] rareStarts(int samples) {
        if (common.length == columns.size()) {
            return new int[0];
        }
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

    private int[] rareColumns(int samples) {
        if (rareStart.length == 0) {
            return new int[0];
        }
        int[] bySample = new int[rareStart[samples]];
        int[] next = rareStart.clone();
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
