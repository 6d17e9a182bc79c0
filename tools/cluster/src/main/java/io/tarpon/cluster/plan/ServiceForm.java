package io.tarpon.cluster.plan;

import java.util.Locale;

/// What a service runs as: classes in a JVM, or a native executable.
public enum ServiceForm {
    JVM,
    NATIVE;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
