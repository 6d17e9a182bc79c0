package io.tarpon.cli.cluster;

import io.tarpon.cli.CommandFailure;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// What a service runs as: classes in a JVM, or a native executable.
public enum ServiceForm {
    JVM,
    NATIVE;

    /// The launcher sets it where nobody else did: to `native` where every executable is newer than its sources.
    public static final String VARIABLE = "TARPON_FORM";

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static ServiceForm of(Map<String, String> environment) {
        var wanted = environment.getOrDefault(VARIABLE, "");
        if (wanted.isBlank()) {
            return JVM;
        }
        return Arrays.stream(values())
                .filter(form -> form.wireName().equals(wanted))
                .findFirst()
                .orElseThrow(() -> CommandFailure.failed(
                        VARIABLE + " is '" + wanted + "', which is no form of a service",
                        "set it to one of: "
                                + Arrays.stream(values())
                                        .map(ServiceForm::wireName)
                                        .collect(Collectors.joining(", "))));
    }
}
