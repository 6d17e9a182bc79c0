package io.tarpon.cluster.disk;

import java.nio.file.Files;
import java.nio.file.Path;

/// Programs that the operating system runs by themselves.
public final class Executables {
    private Executables() {}

    public static boolean isThere(Path program) {
        return Files.isRegularFile(program) && Files.isExecutable(program);
    }
}
