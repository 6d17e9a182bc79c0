package io.tarpon.wire.metadata;

import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One shard as metadata-svc knows it. Before it is sealed, `seal` is null and samples and bytes are as planned.
///
/// @param home the shard under whose keys its plan, tar and index lie in the object store, where that is another one: a
/// version that grew keeps shards of its parent; null where it is its own
/// @param planName of its plan in the key ([ObjectKeys]); null in plans from before there were any
public record ShardRecord(
        ShardName name,
        long samples,
        long bytes,
        String planSha256,
        @Nullable ShardRef home,
        @Nullable SealShard seal,
        @Nullable String planName) {
    public ShardRecord {
        ObjectKeys.requireName("planName", planName);
    }

    /// A shard whose plan has no name.
    public ShardRecord(
            ShardName name,
            long samples,
            long bytes,
            String planSha256,
            @Nullable ShardRef home,
            @Nullable SealShard seal) {
        this(name, samples, bytes, planSha256, home, seal, null);
    }

    /// A shard that lies under its own keys.
    public ShardRecord(ShardName name, long samples, long bytes, String planSha256, @Nullable SealShard seal) {
        this(name, samples, bytes, planSha256, null, seal);
    }

    /// What was sealed. Throws where nothing was: ask only for shards of a sealed version.
    public SealShard sealed() {
        if (seal == null) {
            throw new IllegalStateException("shard " + name + " is not sealed");
        }
        return seal;
    }

    /// Under whose keys its objects lie. `self` is this shard's own place.
    public ShardRef home(ShardRef self) {
        return home == null ? self : home;
    }

    /// Where the plan that it is built from lies.
    public String planKey(ShardRef self) {
        return ObjectKeys.plan(home(self), planName);
    }

    /// Where the tar that was sealed lies. Throws as [#sealed()].
    public String tarKey(ShardRef self) {
        return ObjectKeys.tar(home(self), sealed().attempt());
    }

    /// Where the index of the tar that was sealed lies. Throws as [#sealed()].
    public String indexKey(ShardRef self) {
        return ObjectKeys.index(home(self), sealed().attempt());
    }

    /// Ordinals of each block's first sample; empty until sealed.
    public List<Integer> blocks() {
        return seal == null ? List.of() : seal.blocks();
    }
}
