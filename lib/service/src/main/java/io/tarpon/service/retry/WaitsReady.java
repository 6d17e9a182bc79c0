package io.tarpon.service.retry;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;

/// Not ready while anything is waited for, with what and why: the process lives, and goes on by itself once the trouble
/// has passed. A service with [Patience] makes it a bean with `@Readiness`.
public final class WaitsReady implements HealthCheck {
    private final Waits waits;

    public WaitsReady(Waits waits) {
        this.waits = waits;
    }

    @Override
    public HealthCheckResponse call() {
        var now = waits.now();
        var answer = HealthCheckResponse.named("waits for nothing").status(now.isEmpty());
        for (var wait : now) {
            answer.withData(
                    wait.what(), "since " + wait.since() + ", " + wait.failures() + " failures: " + wait.reason());
        }
        return answer.build();
    }
}
