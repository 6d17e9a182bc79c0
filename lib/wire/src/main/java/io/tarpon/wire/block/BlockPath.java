package io.tarpon.wire.block;

/// Where the file of a block lies below its data folder: a pure function of its id, so that a gateway on the same host
/// finds it by itself. Which folder it is, their names say: `FOLDER` files, in `lib/blocks`.
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
}
