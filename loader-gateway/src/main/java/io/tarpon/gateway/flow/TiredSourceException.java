package io.tarpon.gateway.flow;

import java.io.IOException;

/// A source gave up because we took nothing of what it had for us, as it must with a slow reader. That is no fault of
/// it: asked again it goes on.
public final class TiredSourceException extends IOException {
    private static final long serialVersionUID = 1L;

    public TiredSourceException(IOException cause) {
        super("the source gave up waiting for us: " + cause.getMessage(), cause);
    }
}
