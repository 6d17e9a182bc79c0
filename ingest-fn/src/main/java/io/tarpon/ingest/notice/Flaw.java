package io.tarpon.ingest.notice;

/// Why a message, or one record in it, is not a notice.
///
/// @param detail for people; holds no more than a few characters of the message
public record Flaw(Kind kind, String detail) {
    public enum Kind {
        /// Nothing that is known here.
        UNKNOWN,
        /// Claims to be a notification and is none.
        BROKEN
    }
}
