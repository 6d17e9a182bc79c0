package io.tarpon.cluster.plan;

import io.tarpon.cluster.CommandFailure;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/// How the processes of a cluster are started: the servers beside Tarpon in JVMs, its services in JVMs or as
/// executables, all with bounded memory.
///
/// @param java the program that runs classes
/// @param executables the services that run as executables
/// @param isRehearsal whether each program's first JVM writes, when it ends, the cache that later ones begin with
/// @param jvmOptions of every JVM, after those that are set here
public record Programs(
        ClusterPaths paths, String java, Set<String> executables, boolean isRehearsal, List<String> jvmOptions) {
    /// Of the product whose programs these are, as its commands and reports name it.
    public static final String VERSION = "0.1.0";

    /// `jvm`, `native`, or the services that run as executables with commas between. The launcher sets it where nobody
    /// else did: to those whose executable is newer than its sources.
    public static final String VARIABLE = "TARPON_FORM";

    /// The launcher sets it to `rehearse` for the one start after a build that the caches are made of.
    private static final String AOT = "TARPON_AOT";

    /// What a JVM that rehearses is told with, and its cache's name beside the one that is used: half a cache is never
    /// used.
    static final String REHEARSES = "-XX:AOTCacheOutput=";

    private static final String UNFINISHED = ".new";

    /// Options with spaces between: a recording, a debugger, or for JVMs that live for seconds
    /// `-XX:TieredStopAtLevel=1`.
    private static final String JVM_OPTIONS = "TARPON_JVM_OPTIONS";

    /// The second compiler begins ten times later than it would by itself, when a start is over: what is hot for
    /// seconds gets there all the same. A third of a start's processor time.
    private static final List<String> PATIENT = List.of(
            "-XX:Tier4InvocationThreshold=50000",
            "-XX:Tier4MinInvocationThreshold=6000",
            "-XX:Tier4CompileThreshold=150000",
            "-XX:Tier4BackEdgeThreshold=400000");

    /// What an executable fills with new objects before it collects, and holds while idle: measured, README.
    private static final int YOUNG_MIB = 8;

    private static final Set<String> SERVICES =
            new TreeSet<>(List.of("ingest-fn", "shard-fn", "metadata-svc", "block-svc", "loader-gateway"));

    public Programs {
        executables = Set.copyOf(executables);
        jvmOptions = List.copyOf(jvmOptions);
    }

    /// Those of a checkout, in the form that the environment asks for; fails where one of them is missing.
    ///
    /// @param isExecutable whether a file is there and can be run
    public static Programs of(ClusterPaths paths, Map<String, String> environment, Predicate<Path> isExecutable) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var wanted = environment.getOrDefault(VARIABLE, "");
        var programs = new Programs(
                paths, java, executables(wanted), "rehearse".equals(environment.get(AOT)), jvmOptions(environment));
        for (var service : programs.executables) {
            if (!isExecutable.test(paths.executable(service))) {
                throw CommandFailure.failed(
                        VARIABLE + " is '" + wanted + "', but " + service + " has no executable",
                        "build it with: ./tarpon build --native " + service);
            }
        }
        return programs;
    }

    private static List<String> jvmOptions(Map<String, String> environment) {
        var options = environment.getOrDefault(JVM_OPTIONS, "").strip();
        return options.isEmpty() ? List.of() : List.of(options.split("\\s+"));
    }

    private static Set<String> executables(String wanted) {
        var words = new TreeSet<>(List.of(wanted.split(",")));
        if (wanted.isEmpty() || words.equals(Set.of(ServiceForm.JVM.wireName()))) {
            return Set.of();
        }
        if (words.equals(Set.of(ServiceForm.NATIVE.wireName()))) {
            return SERVICES;
        }
        if (words.isEmpty() || !SERVICES.containsAll(words)) {
            throw CommandFailure.failed(
                    VARIABLE + " is '" + wanted + "', which names no form of the services",
                    "set it to jvm, to native, or to some of " + String.join(",", SERVICES));
        }
        return words;
    }

    ServiceForm form(String module) {
        return executables.contains(module) ? ServiceForm.NATIVE : ServiceForm.JVM;
    }

    /// The services of a roster that were planned in another form than these programs have: as they were first started,
    /// so they are started again.
    public List<Member> plannedOtherwise(Roster roster) {
        return roster.members().stream()
                .filter(Member::isService)
                .filter(member -> !form(module(member)).wireName().equals(member.form()))
                .toList();
    }

    private static String module(Member member) {
        return member.name().replaceFirst("-[0-9]+$", "");
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

    /// A program of `local-servers`. It is what a laptop has in place of real ones: the second compiler would cost it
    /// more at its start than it gains.
    List<String> server(String module, String main, Memory memory) {
        var command = jvm(memory, List.of("-XX:TieredStopAtLevel=1"));
        command.addAll(cache(paths.serverAot(module), true));
        command.addAll(classPath(paths, module, main));
        return command;
    }

    /// Class path and main class of a program of `local-servers`.
    public static List<String> classPath(ClusterPaths paths, String module, String main) {
        var home = paths.product()
                .resolve("tools")
                .resolve("local-servers")
                .resolve(module)
                .resolve("target");
        var jar = home.resolve("local-servers-" + module + ".jar");
        return List.of("-cp", jar + File.pathSeparator + home.resolve("lib").resolve("*"), main);
    }

    /// One of Tarpon's services.
    ///
    /// @param isFirst of its kind in this cluster
    List<String> service(String module, boolean isFirst, Memory memory, Map<String, String> settings) {
        var isExecutable = form(module) == ServiceForm.NATIVE;
        var command = isExecutable ? executable(module, memory) : jvm(memory, PATIENT);
        settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
        if (!isExecutable) {
            command.addAll(cache(paths.serviceAot(module), isFirst));
            command.add("-jar");
            command.add(paths.serviceJar(module).toString());
        }
        return command;
    }

    /// A cache that is missing, or of another JDK or jar, is passed over without a word.
    private List<String> cache(Path file, boolean isFirst) {
        return isRehearsal && isFirst
                ? List.of(REHEARSES + file + UNFINISHED)
                : List.of("-Xlog:aot=off", "-XX:AOTCache=" + file);
    }

    private List<String> executable(String module, Memory memory) {
        var command = new ArrayList<String>();
        command.add(paths.executable(module).toString());
        command.addAll(memory.options());
        command.add("-Xmn" + YOUNG_MIB + "m");
        command.add("-XX:+ExitOnOutOfMemoryError");
        return command;
    }

    private List<String> jvm(Memory memory, List<String> compilers) {
        var command = new ArrayList<String>();
        command.add(java);
        command.addAll(memory.options());
        command.addAll(List.of(
                "-Xms16m",
                "-XX:+UseSerialGC",
                "-XX:ReservedCodeCacheSize=64m",
                // Above what a start loads: else each one collects the whole heap for it.
                "-XX:MetaspaceSize=64m",
                "-Xss512k",
                "-XX:+ExitOnOutOfMemoryError",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(compilers);
        command.addAll(jvmOptions);
        return command;
    }
}
