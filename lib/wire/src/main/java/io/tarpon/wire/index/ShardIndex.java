package io.tarpon.wire.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Everything that is known of one shard: its layout, and the names of its samples. Immutable, safe for any number of
/// threads.
public final class ShardIndex {
    private final ShardLayout layout;
    private final KeyColumn keys;

    ShardIndex(ShardLayout layout, KeyColumn keys) {
        this.layout = layout;
        this.keys = keys;
    }

    /// Where everything is, without the names.
    public ShardLayout layout() {
        return layout;
    }

    /// See [ShardLayout#shardSha256].
    public String shardSha256() {
        return layout.shardSha256();
    }

    /// See [ShardLayout#shardCrc32c].
    public int shardCrc32c() {
        return layout.shardCrc32c();
    }

    /// See [ShardLayout#shardBytes].
    public long shardBytes() {
        return layout.shardBytes();
    }

    public int sampleCount() {
        return layout.sampleCount();
    }

    /// See [ShardLayout#sampleOffset].
    public long sampleOffset(int sample) {
        return layout.sampleOffset(sample);
    }

    /// See [ShardLayout#sampleLength].
    public long sampleLength(int sample) {
        return layout.sampleLength(sample);
    }

    public String key(int sample) {
        return keys.key(sample);
    }

    /// The sample with this key in the tar.
    public OptionalInt find(String key) {
        return keys.find(key.getBytes(UTF_8));
    }

    /// The members of a sample in tar order, which is the byte order of their extensions.
    public List<IndexedMember> members(int sample) {
        return layout.members(sample).stream()
                .map(place -> named(sample, place))
                .toList();
    }

    public Optional<IndexedMember> member(int sample, String extension) {
        if (layout.memberSize(sample, extension) < 0) {
            return Optional.empty();
        }
        return layout.members(sample).stream()
                .filter(place -> place.extension().equals(extension))
                .findFirst()
                .map(place -> named(sample, place));
    }

    /// See [ShardLayout#extensions].
    public List<ExtensionCount> extensions() {
        return layout.extensions();
    }

    public int blockCount() {
        return layout.blockCount();
    }

    public Block block(int number) {
        return layout.block(number);
    }

    /// Bytes this index holds on the heap, to within a few percent.
    public long memoryBytes() {
        return layout.memoryBytes() + keys.memoryBytes();
    }

    KeyColumn keys() {
        return keys;
    }

    private IndexedMember named(int sample, MemberPlace place) {
        return new IndexedMember(
                place.extension(), key(sample) + '.' + place.extension(), place.size(), place.headerOffset());
    }
}
