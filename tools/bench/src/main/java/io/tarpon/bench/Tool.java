package io.tarpon.bench;

import io.tarpon.bench.disk.MachineFacts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A program of others that serves as reference, where it is installed.
///
/// @param program where it is; null where it is not installed
/// @param version that it says it has; null where it is not installed
record Tool(
        String name,
        String packageName,
        @Nullable Path program,
        @Nullable String version) {
    private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)+");

    static Tool find(String name, String packageName, String versionOption) {
        var found = MachineFacts.program(name);
        var version = found.map(program -> version(program, versionOption));
        return new Tool(name, packageName, found.orElse(null), version.orElse(null));
    }

    /// The program; empty where it is not installed.
    Optional<Path> installed() {
        return Optional.ofNullable(program);
    }

    /// `nginx, proxy_pass`, or how to get it where it is not installed.
    String as(String use) {
        return program == null ? name + " (absent: apt-get install " + packageName + ")" : name + use;
    }

    private static String version(Path program, String option) {
        try {
            var process = new ProcessBuilder(List.of(program.toString(), option))
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            var number = NUMBER.matcher(said);
            return number.find() ? number.group() : "unknown";
        } catch (IOException e) {
            return "unknown";
        }
    }
}
