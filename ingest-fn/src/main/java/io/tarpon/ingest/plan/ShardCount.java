package io.tarpon.ingest.plan;

/// How many shards a split gets (design section 6): as few as keep them within the size aimed at, raised to a
/// multiple.
///
/// @param ordinary shards over which the samples smaller than a shard are spread
/// @param oversized shards that hold one sample each, as large as a shard or larger; they come last
public record ShardCount(int ordinary, int oversized) {

    /// What a split has to hold. `oversized` of the samples are as large as a shard; bytes are tar bytes.
    public record Load(long samples, long bytes, long oversized, long oversizedBytes) {
        public static final Load NONE = new Load(0, 0, 0, 0);

        public Load plus(long sampleBytes, boolean big) {
            return new Load(
                    samples + 1,
                    Math.addExact(bytes, sampleBytes),
                    big ? oversized + 1 : oversized,
                    big ? Math.addExact(oversizedBytes, sampleBytes) : oversizedBytes);
        }
    }

    public int total() {
        return ordinary + oversized;
    }

    /// For a split that is planned anew.
    ///
    /// @param load of a split with at least `multipleOf` samples
    /// @throws IllegalArgumentException where it has fewer, or would need more than `maxShards`
    public static ShardCount of(Load load, long shardBytes, int multipleOf, int maxShards) {
        return beside(0, load, shardBytes, multipleOf, maxShards);
    }

    /// For new samples of a split that has shards already.
    ///
    /// @param standing shards that stay from the parent: they count towards the multiple and towards `maxShards`
    /// @param load of the new samples, maybe none
    /// @throws IllegalArgumentException where the samples allow no number of shards that makes a multiple, or the
    /// split would have more than `maxShards`
    public static ShardCount beside(int standing, Load load, long shardBytes, int multipleOf, int maxShards) {
        long small = load.samples() - load.oversized();
        long smallShards = Math.ceilDiv(load.bytes() - load.oversizedBytes(), shardBytes);
        long least = load.samples() == 0 ? 0 : Math.max(1, smallShards + load.oversized());
        long wanted = least + Math.floorMod(-(standing + least), (long) multipleOf);
        long most = load.samples() - Math.floorMod(standing + load.samples(), (long) multipleOf);
        long total = Math.min(wanted, most);
        if (total < Math.min(1, load.samples())) {
            throw noMultiple(standing, load.samples(), multipleOf);
        }
        if (standing + total > maxShards) {
            throw new IllegalArgumentException(standing + total + " shards are more than the " + maxShards
                    + " of tarpon.ingest.max-shards; make shards larger");
        }
        // An oversized sample stands alone unless the multiple leaves no shard for the rest, or one too many.
        long rest = total - load.oversized();
        boolean alone = small == 0 ? rest == 0 : rest >= 1 && rest <= small;
        return alone ? new ShardCount((int) rest, (int) load.oversized()) : new ShardCount((int) total, 0);
    }

    private static IllegalArgumentException noMultiple(int standing, long samples, int multipleOf) {
        return new IllegalArgumentException(
                standing == 0
                        ? samples + " samples do not fill " + multipleOf + " shards, the smallest multiple asked for"
                        : standing + " shards of the parent stay, and " + samples
                                + " new samples cannot fill as many more as make a multiple of " + multipleOf
                                + " of them; ingest without --grow");
    }
}
