package io.tarpon.cli.disk;

import io.tarpon.cluster.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A folder that a person named as a source.
public final class SourceFolder {
    private SourceFolder() {}

    /// Its real path, links resolved; fails with the reason where it is no folder with something in it that can be
    /// read.
    public static Path check(Path folder) {
        if (!Files.exists(folder)) {
            throw CommandFailure.failed("the folder " + folder + " does not exist", "check the path");
        }
        if (!Files.isDirectory(folder)) {
            throw CommandFailure.failed(folder + " is not a folder", "name the folder that holds the files");
        }
        try (var entries = Files.list(folder)) {
            if (entries.findAny().isEmpty()) {
                throw CommandFailure.failed("the folder " + folder + " is empty", "put files into it, then try again");
            }
            return folder.toRealPath();
        } catch (IOException e) {
            throw CommandFailure.failed("cannot read the folder " + folder + ": " + e, "check its rights");
        }
    }
}
