package io.tarpon.metadata.api;

import io.tarpon.metadata.Readiness;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;

/// Ready once the log is replayed, and while it takes entries. The broker is no part of it: without one, events
/// wait.
@org.eclipse.microprofile.health.Readiness
public class ReplayedCheck implements HealthCheck {
    private static final String NAME = "metadata log";

    private final Readiness readiness;

    ReplayedCheck(Readiness readiness) {
        this.readiness = readiness;
    }

    @Override
    public HealthCheckResponse call() {
        return readiness
                .obstacle()
                .map(obstacle -> HealthCheckResponse.named(NAME)
                        .down()
                        .withData("reason", obstacle)
                        .build())
                .orElseGet(() -> HealthCheckResponse.up(NAME));
    }
}
