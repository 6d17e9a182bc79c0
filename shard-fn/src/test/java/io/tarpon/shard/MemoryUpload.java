package io.tarpon.shard;

import io.tarpon.store.ObjectStore;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/// Keeps what is uploaded, for tests of small tars.
public final class MemoryUpload implements ObjectStore.Upload {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void write(ByteBuffer more) {
        var copy = new byte[more.remaining()];
        more.get(copy);
        bytes.writeBytes(copy);
    }

    @Override
    public void complete() {}

    @Override
    public void close() {}

    public byte[] bytes() {
        return bytes.toByteArray();
    }
}
