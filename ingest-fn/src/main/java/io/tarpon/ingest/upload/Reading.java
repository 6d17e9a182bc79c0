package io.tarpon.ingest.upload;

/// What a message turned out to be.
public sealed interface Reading {
    record Read(Upload upload) implements Reading {}

    /// @param why one of the reasons of dead letters
    /// @param detail what is wrong, and what would be right
    record Unreadable(Refusal why, String detail) implements Reading {}
}
