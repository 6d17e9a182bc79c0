package io.tarpon.block.api;

/// Where routes stand among each other: those that only say what is wrong come after those that answer.
final class Order {
    static final int WRONG_METHOD = 20_000;
    static final int UNKNOWN = 1_000_000;

    private Order() {}
}
