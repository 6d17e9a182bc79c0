package io.tarpon.wire.block;

/// Where the file of a block lies: a pure function of its id, so that a gateway on the same host finds it by itself.
public final class BlockPath {
    private static final String SUFFIX = ".blk";

    private BlockPath() {}

    /// Path below the data directory, `/` separated: first two digits of the id, then `<id>.blk`.
    public static String relative(BlockId id) {
        return folder(id) + '/' + id.hex() + SUFFIX;
    }

    /// Name of the folder below the data directory.
    public static String folder(BlockId id) {
        return id.hex().substring(0, 2);
    }

    /// Which of a node's data directories, in their registered order.
    ///
    /// @param dataDirs how many there are, at least 1
    public static int dataDir(BlockId id, int dataDirs) {
        if (dataDirs < 1) {
            throw new IllegalArgumentException("a node has at least one data directory");
        }
        return (int) ((id.high() >>> 32) % dataDirs);
    }
}
