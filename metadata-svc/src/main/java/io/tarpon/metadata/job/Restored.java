package io.tarpon.metadata.job;

/// What a restore made.
///
/// @param revision of the snapshot; the log goes on after it
/// @param entries keys with their values in the view
/// @param bytes of the snapshot
public record Restored(long revision, long entries, long bytes) {}
