package io.tarpon.cluster.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// What the operating system shows as entries of folders: network interfaces and namespaces.
public final class KernelNames {
    private KernelNames() {}

    /// Names in the folder that begin so, in order; none where it is not there.
    public static List<String> in(Path folder, String prefix) throws IOException {
        try (var entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
