package io.tarpon.ingest;

import io.tarpon.service.retry.Patience;
import io.tarpon.service.retry.Pauses;
import io.tarpon.service.retry.Waits;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// The patience of the service, with pauses that suit a test.
final class ShortPauses {
    private ShortPauses() {}

    static Patience forEver() {
        return until(() -> false);
    }

    static Patience until(BooleanSupplier abandoned) {
        return until(abandoned, new Waits());
    }

    static Patience until(BooleanSupplier abandoned, Waits waits) {
        var pauses = new Pauses(Duration.ofMillis(2), Duration.ofMillis(20));
        return new Patience(pauses, Trouble::mayPass, waits, abandoned);
    }
}
