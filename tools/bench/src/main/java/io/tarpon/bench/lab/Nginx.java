package io.tarpon.bench.lab;

import io.tarpon.bench.disk.WorkFolder;
import io.tarpon.cluster.plan.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// nginx processes of a lab.
public final class Nginx {
    private final Path program;
    private final Lab lab;
    private final Path home;

    /// @param home a folder for its files
    public Nginx(Path program, Lab lab, Path home) {
        this.program = program;
        this.lab = lab;
        this.home = home;
    }

    /// Serves the files below `root`.
    public Member files(Path root) throws IOException {
        int port = lab.freePort();
        return start("nginx-files", port, NginxConfig.files(user(), home.resolve("nginx-files"), root, port));
    }

    /// Stands before another.
    public Member proxy(Member upstream) throws IOException {
        int port = lab.freePort();
        var config = NginxConfig.proxy(user(), home.resolve("nginx-proxy"), port, upstream.port());
        return start("nginx-proxy", port, config);
    }

    private Member start(String name, int port, String config) throws IOException {
        var folder = home.resolve(name);
        var file = folder.resolve("nginx.conf");
        WorkFolder.write(file, config);
        var command = List.of(program.toString(), "-p", folder.toString(), "-c", file.toString());
        return lab.start(Member.of(name, "http://127.0.0.1:" + port, command, Map.of("LC_ALL", "C.UTF-8")));
    }

    private static String user() {
        return System.getProperty("user.name", "");
    }
}
