package io.tarpon.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Command lines of JVMs like this one.
public final class Jvm {
    private Jvm() {}

    /// A program of the JDK that runs this.
    public static String program(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /// This test's own classes in a process of their own, for what only a process can suffer.
    ///
    /// @param options of the JVM
    public static List<String> command(Class<?> main, List<String> options, String... arguments) {
        var command = new ArrayList<>(List.of(program("java")));
        command.addAll(options);
        // Surefire may hide the class path in the manifest of a jar.
        var classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp", classPath, main.getName()));
        command.addAll(List.of(arguments));
        return List.copyOf(command);
    }
}
