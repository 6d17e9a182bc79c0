package io.tarpon.gateway.api;

import io.tarpon.gateway.catalog.NodeWatch;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// Ready once metadata-svc answered: from then on, what is cached is served also without it.
@Readiness
@ApplicationScoped
public class MetadataReady implements HealthCheck {
    private final NodeWatch nodes;

    MetadataReady(NodeWatch nodes) {
        this.nodes = nodes;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("metadata").status(nodes.reached()).build();
    }
}
