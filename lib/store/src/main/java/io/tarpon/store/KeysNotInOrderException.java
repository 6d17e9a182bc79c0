package io.tarpon.store;

import java.io.IOException;

/// A server lists keys in an order of its own: its listings cannot be used, however often they are asked for.
public final class KeysNotInOrderException extends IOException {
    private static final long serialVersionUID = 1L;

    public KeysNotInOrderException(String message) {
        super(message);
    }
}
