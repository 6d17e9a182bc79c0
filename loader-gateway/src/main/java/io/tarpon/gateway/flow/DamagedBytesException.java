package io.tarpon.gateway.flow;

import java.io.IOException;

/// Bytes came that are not those the shard was sealed with. None of them was sent on.
public final class DamagedBytesException extends IOException {
    private static final long serialVersionUID = 1L;

    /// @param subBlock 0-based in the block
    public DamagedBytesException(String what, int subBlock) {
        super(what + " in sub-block " + subBlock);
    }
}
