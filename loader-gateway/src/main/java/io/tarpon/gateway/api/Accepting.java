package io.tarpon.gateway.api;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// Not ready once the process was told to end, before it stops to listen.
@Readiness
@ApplicationScoped
public class Accepting implements HealthCheck {
    private final Connections connections;

    Accepting(Connections connections) {
        this.connections = connections;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("accepting")
                .status(!connections.isDraining())
                .build();
    }
}
