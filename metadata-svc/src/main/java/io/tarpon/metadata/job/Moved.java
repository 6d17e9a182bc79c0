package io.tarpon.metadata.job;

/// What a move did.
///
/// @param log where the log is now: `kafka` or `local`
/// @param revision position of its last entry
/// @param begin position of the last entry that was removed from its beginning
/// @param copied entries that this move carried; fewer where one before it was broken off, or 0 where nothing was left
/// @param bytes of these
public record Moved(String log, long revision, long begin, long copied, long bytes) {
    static final String KAFKA = "kafka";
    static final String LOCAL = "local";
}
