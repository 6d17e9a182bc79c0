package io.tarpon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The launcher in a checkout of its own, with a JDK, a Maven and a wrapper that only say that they were called, on a
/// machine with few programs.
final class TarponCheckout {
    private static final Path LAUNCHER = Path.of("..", "..", "tarpon");
    private static final Path FETCH = Path.of("fetch-jdk.sh");
    private static final List<String> TOOLS = List.of(
            "bash",
            "env",
            "sed",
            "find",
            "awk",
            "grep",
            "head",
            "tail",
            "touch",
            "chmod",
            "mkdir",
            "mv",
            "tee",
            "readlink",
            "flock",
            "dirname",
            "cat",
            "uname",
            "tr",
            "wc",
            "rm",
            "mktemp",
            "tar",
            "gzip",
            "sha256sum",
            "curl",
            "sleep");

    /// A Maven that makes what a build makes.
    private static final String BUILD = """
        case " $* " in *" package "*|*" verify "*) ;; *) exit 0;; esac
        mkdir -p tools/cli/target/lib tools/local-servers/kafka/target/lib
        touch tools/cli/target/cli.jar tools/local-servers/kafka/target/local-servers-kafka.jar
        for module in ingest-fn shard-fn metadata-svc block-svc loader-gateway; do
            mkdir -p $module/target/quarkus-app && touch $module/target/quarkus-app/quarkus-run.jar
            case " $* " in *" -Dnative "*) ;; *) continue;; esac
            case " $* " in *[\\ ,]$module[\\ ,]*) ;; *) continue;; esac
            touch -d '1 second ago' $module/target/native-started
            eval "${EDIT:-}"
            touch $module/target/$module-runner && chmod +x $module/target/$module-runner
            echo "GraalVM Native Image: Generating '$module-runner' (executable)..."
            echo "Finished generating '$module-runner' in 5m 1s."
        done
        echo "[INFO] Building cli 0.1.0                       [1/2]"
        """;

    private final Path scratch;
    private final Path checkout;
    private final Path tools;
    private final Path jdk;
    private final Map<String, String> environment = new HashMap<>();

    record Result(int exit, String out, String err) {}

    TarponCheckout(Path scratch) throws IOException {
        this.scratch = scratch;
        checkout = Files.createDirectories(scratch.resolve("a check out"));
        tools = Files.createDirectories(scratch.resolve("tools"));
        for (var tool : TOOLS) {
            for (var bin : List.of("/usr/bin", "/bin")) {
                if (Files.isExecutable(Path.of(bin, tool))) {
                    script(tools.resolve(tool), "#!/bin/sh\nexec " + bin + "/" + tool + " \"$@\"\n");
                }
            }
        }
        Files.copy(LAUNCHER, checkout.resolve("tarpon"));
        Files.createDirectories(checkout.resolve("tools/cli"));
        Files.copy(FETCH, checkout.resolve("tools/cli/fetch-jdk.sh"));
        Files.setPosixFilePermissions(checkout.resolve("tarpon"), PosixFilePermissions.fromString("rwxr-xr-x"));
        file("pom.xml");
        for (var module : List.of("tools/cli", "lib/wire", "block-svc", "tools/local-servers/kafka")) {
            file(module + "/pom.xml");
            file(module + "/src/main/java/A.java");
            file(module + "/src/main/resources/application.properties");
        }
        script(checkout.resolve("mvnw"), "echo wrapper \"$@\" >> \"$CALLS\"\n" + BUILD);
        jdk = jdk("jdks/jdk-25", "25.0.1");
    }

    void file(String name) throws IOException {
        var file = checkout.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
        // From before any build of this test, to the last second.
        var earlier = FileTime.from(Instant.now().minusSeconds(3600));
        for (var path = file; !path.equals(checkout); path = path.getParent()) {
            Files.setLastModifiedTime(path, earlier);
        }
    }

    static void script(Path file, String body) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, body.startsWith("#!") ? body : "#!/usr/bin/env bash\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    Path jdk(String name, String version) throws IOException {
        var home = scratch.resolve(name);
        script(home.resolve("bin/javac"), "");
        script(
                home.resolve("bin/java"),
                "printf '<%s>' \"${@: -3}\"; echo; echo \"$TARPON_FORM\" > \"$CALLS.form\"; exit 7\n");
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    void maven(String version) throws IOException {
        script(
                tools.resolve("mvn"),
                "[ \"$1\" = --version ] && { echo 'Apache Maven " + version + " (abc)'; exit; }\n"
                        + "echo maven \"$@\" >> \"$CALLS\"\n" + BUILD);
    }

    Result tarpon(String... arguments) throws IOException, InterruptedException {
        return tarponWith(jdk.toString(), arguments);
    }

    /// @param javaHome empty for none
    Result tarponWith(String javaHome, String... arguments) throws IOException, InterruptedException {
        return run(checkout.resolve("tarpon"), checkout, javaHome, arguments);
    }

    Result run(Path launcher, Path from, String javaHome, String... arguments)
            throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        var out = scratch.resolve("out");
        var err = err();
        var builder = new ProcessBuilder(command)
                .directory(from.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        var environment = builder.environment();
        environment.clear();
        environment.put("PATH", tools.toString());
        environment.put("HOME", scratch.resolve("home").toString());
        environment.put("CALLS", scratch.resolve("calls").toString());
        environment.put("TARPON_JDKS", scratch.resolve("jdks").toString());
        if (!javaHome.isEmpty()) {
            environment.put("JAVA_HOME", javaHome);
        }
        environment.putAll(this.environment);
        var process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /// What the launcher that runs last or now has said.
    Path err() {
        return scratch.resolve("err");
    }

    List<String> calls() throws IOException {
        var calls = scratch.resolve("calls");
        var lines = Files.exists(calls) ? Files.readAllLines(calls) : List.<String>of();
        Files.deleteIfExists(calls);
        return lines;
    }

    /// What the services were to run as, when the command was called last.
    String form() throws IOException {
        return Files.readString(scratch.resolve("calls.form")).strip();
    }

    /// Where a tool or folder of the checkout, of the machine's tools, or of the test itself lies.
    Path checkout(String name) {
        return checkout.resolve(name);
    }

    Path tool(String name) {
        return tools.resolve(name);
    }

    Path scratch(String name) {
        return scratch.resolve(name);
    }

    Map<String, String> environment() {
        return environment;
    }
}
