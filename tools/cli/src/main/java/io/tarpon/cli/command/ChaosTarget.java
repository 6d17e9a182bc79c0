package io.tarpon.cli.command;

import java.util.Locale;

/// What trouble is made for, where it is not everything.
enum ChaosTarget {
    /// The broker and the replicas of metadata-svc.
    METADATA;

    /// As it is written on the command line.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
