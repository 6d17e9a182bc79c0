package io.tarpon.ingest.upload;

/// Text of strangers, fit for a log line and a header.
public final class OneLine {
    private OneLine() {}

    /// The text with every control character as `?`.
    public static String of(String text) {
        return text.replaceAll("\\p{Cc}", "?");
    }
}
