package io.tarpon.block.api;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/// The body of `POST /v1/blocks/used`: blocks that a gateway on this host read from their files.
@RegisterForReflection
public record UsedBlocks(List<String> ids) {
    /// Ids of one request.
    public static final int MOST = 10_000;

    public UsedBlocks {
        ids = List.copyOf(ids);
        if (ids.size() > MOST) {
            throw new IllegalArgumentException("more than " + MOST + " ids");
        }
    }
}
