package io.tarpon.wire.metadata;

import io.tarpon.wire.ShardName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Some shards of one split, in order; `next` goes into the next request's `after`, null at the end.
public record ShardPage(List<ShardRecord> shards, @Nullable ShardName next) {
    public ShardPage {
        shards = List.copyOf(shards);
    }
}
