package io.tarpon.wire.index;

/// One extension of a shard that is being built.
final class ExtensionRun {
    private final IntColumn samples = new IntColumn();
    private final IntColumn low = new IntColumn();
    private final IntColumn high = new IntColumn();

    void add(int sample, long size) {
        samples.add(sample);
        low.add((int) size);
        high.add((int) (size >>> 32));
    }

    ExtensionColumn column(String extension, int sampleCount) {
        long[] sizes = new long[samples.size()];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = (long) high.get(i) << 32 | Integer.toUnsignedLong(low.get(i));
        }
        return ExtensionColumn.of(extension, Presence.of(sampleCount, samples.toArray()), sizes);
    }
}
