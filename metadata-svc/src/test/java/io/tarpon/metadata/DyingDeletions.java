package io.tarpon.metadata;

import io.tarpon.storekit.FailingStore.Fault;
import io.tarpon.storekit.FailingStore.Step;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/// A store's end after some deletions: that one and all later ones fail, half of them after they happened.
final class DyingDeletions implements Fault {
    private final AtomicInteger left;

    DyingDeletions(int deletions) {
        left = new AtomicInteger(deletions);
    }

    @Override
    public void at(Step step) throws IOException {
        if (step == Step.BEFORE_DELETE && left.getAndDecrement() <= 0 && left.get() % 2 != 0) {
            throw new IOException("meant to fail before it happens");
        }
        if (step == Step.AFTER_DELETE && left.get() < 0) {
            throw new IOException("meant to fail after it happened");
        }
    }
}
