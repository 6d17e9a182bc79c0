package io.tarpon.bench;

import io.tarpon.bench.disk.WorkFolder;
import io.tarpon.cluster.console.Console;
import java.nio.file.Path;
import java.util.List;

/// What every benchmark works with.
///
/// @param product the checkout whose programs are measured
record Bench(Console console, BenchSettings settings, WorkFolder work, Path product, Tools tools) {
    /// The references.
    record Tools(Tool nginx, Tool tar, Tool etcd) {
        static Tools find() {
            return new Tools(
                    Tool.find("nginx", "nginx-light", "-v"),
                    Tool.find("tar", "tar", "--version"),
                    Tool.find("etcd", "etcd-server", "--version"));
        }

        List<Tool> all() {
            return List.of(nginx, tar, etcd);
        }
    }

    void note(String text) {
        console.note(text);
    }
}
