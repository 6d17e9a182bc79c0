package io.tarpon.wire.index;

/// The blocks of a shard that is being built.
final class BlockRun {
    private final IntColumn firstSample = new IntColumn();
    private final IntColumn offset512 = new IntColumn();
    private final IntColumn crc32c = new IntColumn();
    private final IntColumn subStart = new IntColumn();
    private final IntColumn subCrc32c = new IntColumn();

    void begin(int sample, long offset) {
        firstSample.add(sample);
        offset512.add((int) (offset >>> 9));
        subStart.add(subCrc32c.size());
    }

    void subBlock(int crc) {
        subCrc32c.add(crc);
    }

    void end(int crc) {
        crc32c.add(crc);
    }

    BlockTable table(int targetBytes, int subBlockBytes) {
        return new BlockTable(
                targetBytes,
                subBlockBytes,
                firstSample.toBuffer(),
                offset512.toBuffer(),
                crc32c.toBuffer(),
                subStart.toBuffer(),
                subCrc32c.toBuffer());
    }
}
