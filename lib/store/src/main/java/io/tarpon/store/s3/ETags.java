package io.tarpon.store.s3;

/// ETags as we keep them: without the quotes, which some servers leave out of listings.
final class ETags {
    private ETags() {}

    static String unquoted(String etag) {
        boolean quoted = etag.length() >= 2 && etag.startsWith("\"") && etag.endsWith("\"");
        return quoted ? etag.substring(1, etag.length() - 1) : etag;
    }

    static String quoted(String etag) {
        return "\"" + unquoted(etag) + "\"";
    }
}
