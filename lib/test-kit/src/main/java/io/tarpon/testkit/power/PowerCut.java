package io.tarpon.testkit.power;

/// The power is off: no operation on the disk ends any more. An error, so that nobody goes on after it.
public final class PowerCut extends Error {
    private static final long serialVersionUID = 1L;

    PowerCut() {
        super("the power is off");
    }
}
