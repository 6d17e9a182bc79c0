package io.tarpon.metadata.stream;

import io.tarpon.metadata.entry.PublishedMark;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;

/// Which of several replicas publishes, and up to which revision that is done. Owned by the publisher's thread.
public interface PublishingDuty extends PublishedMark, AutoCloseable {
    /// Whether this replica is the one; waits at most `patience` for becoming it. To be asked again and again,
    /// since who does not ask loses it.
    boolean isHere(Duration patience) throws IOException, InterruptedException;

    /// When it was last certain that nobody else has the duty, in milliseconds since 1970; empty where nobody else
    /// can have it.
    OptionalLong certainAt();

    @Override
    void close();

    /// The duty of the only replica there is.
    static PublishingDuty alone(PublishedMark mark) {
        return new PublishingDuty() {
            @Override
            public boolean isHere(Duration patience) {
                return true;
            }

            @Override
            public OptionalLong certainAt() {
                return OptionalLong.empty();
            }

            @Override
            public long publishedUpTo() throws IOException {
                return mark.publishedUpTo();
            }

            @Override
            public void publishedUpTo(long revision) throws IOException {
                mark.publishedUpTo(revision);
            }

            @Override
            public void close() {
                // The mark is closed by its owner.
            }
        };
    }
}
