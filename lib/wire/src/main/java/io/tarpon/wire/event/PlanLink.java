package io.tarpon.wire.event;

import io.tarpon.wire.Digests;

/// Where a plan file lies and what it must hash to. `url` is its key in the object store: shown, compared, never
/// dialled.
public record PlanLink(String url, String sha256) {
    public PlanLink {
        Digests.requireSha256("plan.sha256", sha256);
    }
}
