package io.tarpon.block.api;

import io.tarpon.block.Membership;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// Ready once the node has joined: from then on gateways find it. It stays ready while metadata-svc is away, since
/// it serves on.
@Readiness
@ApplicationScoped
public class Joined implements HealthCheck {
    private final Membership membership;

    public Joined(Membership membership) {
        this.membership = membership;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("joined")
                .status(membership.everRegistered())
                .build();
    }
}
