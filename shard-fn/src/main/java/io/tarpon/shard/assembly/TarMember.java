package io.tarpon.shard.assembly;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.tar.Ustar;
import io.tarpon.wire.tar.UstarHeader;
import java.nio.ByteBuffer;

/// A planned input and the name it has in the tar. Names of tars are ASCII (policy `k1`).
record TarMember(String name, PlannedMember planned) {
    private static final byte[] ZEROS = new byte[Ustar.BLOCK_BYTES];

    long tarBytes() {
        return Ustar.memberLength(planned.size());
    }

    int paddingBytes() {
        return (int) (Ustar.paddedLength(planned.size()) - planned.size());
    }

    /// @param scratch 512 bytes
    void putHeader(ByteBuffer into, byte[] scratch) {
        UstarHeader.encode(name.getBytes(US_ASCII), planned.size(), scratch, 0);
        into.put(scratch);
    }

    void putPadding(ByteBuffer into) {
        into.put(ZEROS, 0, paddingBytes());
    }
}
