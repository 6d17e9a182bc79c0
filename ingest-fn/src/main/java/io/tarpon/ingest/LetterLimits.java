package io.tarpon.ingest;

import java.time.Duration;

/// What one request for dead letters may take.
///
/// @param timeout waiting for others included
/// @param records of one topic that are looked through
public record LetterLimits(Duration timeout, int records) {}
