package io.tarpon.shard;

/// Stands for the end of the process: nobody catches it.
final class Crash extends Error {
    private static final long serialVersionUID = 1L;
}
