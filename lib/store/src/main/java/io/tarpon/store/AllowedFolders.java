package io.tarpon.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The folders that a `file:///` reference may name, or name something in.
final class AllowedFolders {
    static final String ROOTS = "tarpon.directory-roots";
    static final String ROOTS_FILE = "tarpon.directory-roots-file";

    private static final long MAX_FILE_BYTES = 1 << 20;

    private final List<Path> roots;
    private final Optional<Path> rootsFile;

    AllowedFolders(List<Path> roots, Optional<Path> rootsFile) {
        this.roots = List.copyOf(roots);
        this.rootsFile = rootsFile;
    }

    /// The folder with every link resolved.
    ///
    /// @throws UnknownSourceException unless that is one of the allowed folders or in one, their links resolved too
    /// @throws NoSuchFileException when the folder would be allowed but is missing
    Path resolve(String reference, Path folder) throws IOException {
        List<Path> allowed = allowed();
        Path real;
        try {
            real = folder.toRealPath();
        } catch (NoSuchFileException e) {
            if (allowed.stream().anyMatch(folder::startsWith)) {
                throw new NoSuchFileException(folder.toString(), null, "there is no such folder");
            }
            throw notAllowed(reference);
        }
        for (Path root : allowed) {
            Optional<Path> realRoot = realPath(root);
            if (realRoot.isPresent() && real.startsWith(realRoot.get())) {
                return real;
            }
        }
        throw notAllowed(reference);
    }

    private List<Path> allowed() throws IOException {
        var allowed = new ArrayList<>(roots);
        if (rootsFile.isPresent()) {
            for (String line : completeLines(rootsFile.get())) {
                allowed.add(AbsolutePaths.require("each line of " + rootsFile.get(), line));
            }
        }
        return allowed;
    }

    /// A line counts once its newline is there: the start of a path that is just being appended is another path.
    private static List<String> completeLines(Path file) throws IOException {
        String text;
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new IOException(file + " is longer than " + MAX_FILE_BYTES + " bytes");
            }
            text = Files.readString(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return List.of();
        }
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    private static Optional<Path> realPath(Path root) throws IOException {
        try {
            return Optional.of(root.toRealPath());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private UnknownSourceException notAllowed(String reference) {
        String where =
                rootsFile.map(file -> " or, as a line, to the file " + file).orElse("");
        return new UnknownSourceException(reference, "add the folder to " + ROOTS + where);
    }
}
