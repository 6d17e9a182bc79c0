package io.tarpon.cli.cluster;

import io.tarpon.cli.CommandFailure;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// How the processes of a cluster are started: the servers beside Tarpon in JVMs, its services in JVMs or as
/// executables, all with bounded memory.
///
/// @param java the program that runs classes
public record Programs(ClusterPaths paths, String java, ServiceForm form) {
    private static final List<String> SERVICES =
            List.of("metadata-svc", "block-svc", "loader-gateway", "ingest-fn", "shard-fn");

    /// Those of a checkout, in the form that the environment asks for; fails where one of them is missing.
    ///
    /// @param isExecutable whether a file is there and can be run
    public static Programs of(ClusterPaths paths, Map<String, String> environment, Predicate<Path> isExecutable) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var programs = new Programs(paths, java, ServiceForm.of(environment));
        programs.requireExecutables(isExecutable);
        return programs;
    }

    private void requireExecutables(Predicate<Path> isExecutable) {
        if (form == ServiceForm.NATIVE) {
            for (var service : SERVICES) {
                if (!isExecutable.test(paths.executable(service))) {
                    throw CommandFailure.failed(
                            ServiceForm.VARIABLE + " is native, but " + service + " has no executable",
                            "build it with: ./tarpon build --native");
                }
            }
        }
    }

    /// The memory of a process.
    ///
    /// @param heapMiB at most
    /// @param directMiB at most, outside the heap
    record Memory(int heapMiB, int directMiB) {
        List<String> options() {
            return List.of("-Xmx" + heapMiB + "m", "-XX:MaxDirectMemorySize=" + directMiB + "m");
        }
    }

    /// A program of `local-servers`.
    List<String> server(String module, String main, Memory memory) {
        var command = jvm(memory);
        command.addAll(classPath(paths, module, main));
        return command;
    }

    /// Class path and main class of a program of `local-servers`.
    public static List<String> classPath(ClusterPaths paths, String module, String main) {
        var home = paths.product().resolve("local-servers").resolve(module).resolve("target");
        var jar = home.resolve("local-servers-" + module + ".jar");
        return List.of("-cp", jar + File.pathSeparator + home.resolve("lib").resolve("*"), main);
    }

    /// One of Tarpon's services.
    List<String> service(String module, Memory memory, Map<String, String> settings) {
        var command = form == ServiceForm.NATIVE ? executable(module, memory) : jvm(memory);
        settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
        if (form == ServiceForm.JVM) {
            command.add("-jar");
            command.add(paths.serviceJar(module).toString());
        }
        return command;
    }

    private List<String> executable(String module, Memory memory) {
        var command = new ArrayList<String>();
        command.add(paths.executable(module).toString());
        command.addAll(memory.options());
        command.add("-XX:+ExitOnOutOfMemoryError");
        return command;
    }

    private List<String> jvm(Memory memory) {
        var command = new ArrayList<String>();
        command.add(java);
        command.addAll(memory.options());
        command.addAll(List.of(
                "-Xms16m",
                "-XX:+UseSerialGC",
                "-XX:ReservedCodeCacheSize=64m",
                "-Xss512k",
                "-XX:+ExitOnOutOfMemoryError",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        return command;
    }
}
