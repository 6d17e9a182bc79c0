package io.tarpon.metadata.node;

/// Tells the other replicas what this one was told.
public interface Presence extends AutoCloseable {
    /// Returns at once. Lost where nobody can be reached.
    void tell(Sign sign);

    /// Whether this replica hears what is told now.
    boolean isListening();

    @Override
    void close() throws InterruptedException;

    /// Of the only replica there is.
    Presence ALONE = new Presence() {
        @Override
        public void tell(Sign sign) {
            // There is nobody else.
        }

        @Override
        public boolean isListening() {
            return true;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    };
}
