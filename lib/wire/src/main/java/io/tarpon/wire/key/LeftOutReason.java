package io.tarpon.wire.key;

import java.util.Optional;

/// Why an input is not in a dataset version, with the name used in reports and counts.
public enum LeftOutReason {
    /// The last component has no dot, or nothing after its first one.
    NO_EXTENSION("no-extension"),
    /// The last component, or a folder above it, begins with a dot.
    DOT_FILE("dot-file"),
    /// An earlier file in byte order has the same key and final extension.
    DUPLICATE_MEMBER("duplicate-member"),
    /// 8 GiB or more: a ustar header cannot say its size.
    TOO_LARGE("too-large"),
    /// A link, pipe, socket or device, or an S3 key that ends in `/`.
    NOT_A_REGULAR_FILE("not-a-regular-file"),
    /// The name is not UTF-8.
    UNDECODABLE_NAME("undecodable-name"),
    /// Beside the split folders, where splits were found.
    OUTSIDE_SPLITS("outside-splits"),
    /// The object that says the upload is complete.
    MARKER("marker");

    private final String wireName;

    LeftOutReason(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    public static Optional<LeftOutReason> ofWireName(String wireName) {
        for (LeftOutReason reason : values()) {
            if (reason.wireName.equals(wireName)) {
                return Optional.of(reason);
            }
        }
        return Optional.empty();
    }
}
