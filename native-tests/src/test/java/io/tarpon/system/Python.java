package io.tarpon.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// A Python with packages of the public index, in a folder of its own. Where one of them is not to be had, it
/// says so by name, and what needs it is reported as skipped.
final class Python {
    private final Path folder;
    private final List<String> missing = new ArrayList<>();

    private Python(Path folder) {
        this.folder = folder;
    }

    /// @param folder to be made
    /// @param packages as pip takes them
    static Python in(Path folder, String... packages) throws IOException, InterruptedException {
        var python = new Python(folder);
        python.attempt("python3", "-m", "venv", folder.toString());
        python.install(packages);
        return python;
    }

    /// One with stock webdataset, which is made while the test goes on.
    static CompletableFuture<Python> webdataset(Path folder) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return in(folder, "webdataset==1.0.2");
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    void install(String... packages) throws IOException, InterruptedException {
        for (var each : packages) {
            if (missing.isEmpty()) {
                attempt(folder.resolve("bin/pip").toString(), "install", "-q", "--no-cache-dir", each);
            }
        }
    }

    /// The command to run Python with; skips the test that asks where something is missing.
    String command() {
        var said = "EXAMPLES WERE NOT RUN: " + missing;
        if (!missing.isEmpty()) {
            System.out.println(said);
        }
        assumeTrue(missing.isEmpty(), said);
        return folder.resolve("bin/python").toString();
    }

    private void attempt(String... command) throws IOException, InterruptedException {
        try {
            var ran = Program.start(List.of(command)).await();
            if (ran.exit() != 0) {
                missing.add(String.join(" ", command) + ": " + ran.printed().strip());
            }
        } catch (IOException e) {
            missing.add(String.join(" ", command) + ": " + e.getMessage());
        }
    }
}
