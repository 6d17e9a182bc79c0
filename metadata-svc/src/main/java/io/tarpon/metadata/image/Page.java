package io.tarpon.metadata.image;

import io.tarpon.wire.json.Json;

/// How much of a list goes into one answer: so many rows and so many bytes of JSON, whichever comes first, but one row
/// always. What does not go in is asked for by the cursor.
final class Page {
    static final int MAX_ROWS = 1_000;
    /// Of the whole answer, the frame included.
    static final int MAX_BYTES = 1 << 20;

    /// What stands around the rows, with the cursor: at most two names.
    private static final int FRAME_BYTES = 512;

    private final int mostRows;
    private int rows;
    private long bytes = FRAME_BYTES;

    /// @param limit as was asked for, at least 1
    Page(int limit) {
        this.mostRows = Math.min(limit, MAX_ROWS);
    }

    /// As much as any page has.
    Page() {
        this(MAX_ROWS);
    }

    /// Whether the row still goes in, which it then has.
    boolean takes(Object row) {
        if (rows == mostRows) {
            return false;
        }
        // The comma too.
        var length = Json.length(row) + 1;
        if (rows > 0 && bytes + length > MAX_BYTES) {
            return false;
        }
        rows++;
        bytes += length;
        return true;
    }
}
