package io.tarpon.store.s3;

import io.tarpon.store.DamagedObjectException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A read of a whole object, whose bytes are summed where the server told a sum of them. For one thread.
abstract class SummedRead implements RangeRead {
    final String key;

    /// Of the answer that the read began with.
    Optional<BodySum> sum = Optional.empty();

    SummedRead(String key) {
        this.key = key;
    }

    @Override
    public final void received(byte[] bytes, int offset, int count) {
        sum.ifPresent(it -> it.add(bytes, offset, count));
    }

    @Override
    public final void check() throws IOException {
        if (sum.isPresent() && !sum.get().matches()) {
            throw damaged("its bytes do not match its " + sum.get().name(), null);
        }
    }

    @Override
    public final IOException damaged(String what, @Nullable Exception cause) {
        var e = new DamagedObjectException(key, what);
        e.initCause(cause);
        return e;
    }
}
