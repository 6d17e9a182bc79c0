package io.tarpon.system;

import com.fasterxml.jackson.databind.JsonNode;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The `tarpon` command on a state folder of its own, each call a process, as the launcher would run it.
/// Closed, it stops the cluster and fails if a process is left.
final class Tarpon implements AutoCloseable {
    private static final long COMMAND_MINUTES = 10;

    /// A look is often a process of its own.
    private static final Duration POLL = Duration.ofMillis(200);

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /// What the services run as, in every test: `jvm`, `native`, or the services whose executables are under test.
    static final String FORM = System.getProperty("tarpon.form", "jvm");

    /// A JVM's second compiler takes more of two cores than a test gets back.
    private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1";

    private final Path product = Path.of(System.getProperty("tarpon.product")).toAbsolutePath();
    private final Path home;
    private final Map<String, String> environment;
    private String gateway = "";

    Tarpon(Path home) {
        this(home, Map.of());
    }

    /// @param environment of the commands, besides what this process has
    Tarpon(Path home, Map<String, String> environment) {
        this.home = home;
        this.environment = environment;
    }

    /// What a command printed, and how it ended.
    record Result(int exit, String out, String err) {
        Result succeeded() {
            if (exit != 0) {
                throw new AssertionError("exit " + exit + "\n" + out + "\n" + err);
            }
            return this;
        }

        JsonNode json() {
            try {
                return Json.MAPPER.readTree(out);
            } catch (IOException e) {
                throw new AssertionError("not one JSON document: " + out, e);
            }
        }
    }

    /// The form in which a service runs, by the name of its process.
    static String form(String process) {
        if (process.equals("kafka") || process.equals("s3")) {
            return "jvm";
        }
        return FORM.equals("native") || List.of(FORM.split(",")).contains(module(process)) ? "native" : "jvm";
    }

    /// Whether what is about executables has none to look at, and this is not the nightly run, which takes JVMs too.
    static boolean onlyJvmsByDay() {
        return FORM.equals("jvm") && System.getProperty("nightly") == null;
    }

    /// The module whose program a process runs.
    static String module(String process) {
        return process.replaceAll("-[0-9]+$", "");
    }

    Path home() {
        return home;
    }

    Result run(String... arguments) {
        try {
            var process = start(arguments);
            if (!process.waitFor(COMMAND_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new AssertionError("tarpon " + String.join(" ", arguments) + " did not end");
            }
            return new Result(process.exitValue(), read(process.out()), read(process.err()));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// A command that runs while the test goes on.
    record Running(Process process, Path out, Path err) {
        boolean waitFor(long time, TimeUnit unit) throws InterruptedException {
            return process.waitFor(time, unit);
        }

        int exitValue() {
            return process.exitValue();
        }

        void destroyForcibly() {
            process.destroyForcibly();
        }
    }

    Running start(String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                product.resolve("tools/cli/target/cli.jar") + ":" + product.resolve("tools/cli/target/lib/*"),
                "io.tarpon.cli.Tarpon"));
        command.addAll(List.of(arguments));
        var out = Files.createTempFile("tarpon", ".out");
        var err = Files.createTempFile("tarpon", ".err");
        var builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("TARPON_FORM", FORM);
        builder.environment().put("TARPON_JVM_OPTIONS", SHORT_LIVED);
        builder.environment().putAll(environment);
        builder.environment().put("TARPON_HOME", home.toString());
        builder.environment().put("TARPON_PRODUCT", product.toString());
        builder.environment().put("LC_ALL", "C.UTF-8");
        return new Running(builder.start(), out, err);
    }

    static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    /// The state of one version, or an empty text where there is none; removed ones too.
    String state(String dataset, String version) {
        var listing = run("ls", "--all", "--json");
        if (listing.exit() == 0) {
            for (var each : listing.json().get("datasets")) {
                for (var one : each.get("versions")) {
                    if (each.get("dataset").asText().equals(dataset)
                            && one.get("version").asText().equals(version)) {
                        return one.get("state").asText();
                    }
                }
            }
        }
        return "";
    }

    /// Waits for a version's state; fails at once where it has ended otherwise. Patient: Kafka gives the
    /// partitions of a killed consumer to another one only after 15 s.
    void awaitState(String dataset, String version, String wanted) {
        await(dataset + "@" + version + " to be " + wanted, Duration.ofMinutes(3), () -> {
            var state = state(dataset, version);
            if (!state.equals(wanted) && List.of("sealed", "failed", "removed").contains(state)) {
                throw new AssertionError(dataset + "@" + version + " is " + state + ": "
                        + run("show", dataset + "@" + version).out());
            }
            return state.equals(wanted);
        });
    }

    /// Names of the versions of a dataset, each with its state, oldest first.
    List<String> versions(String dataset) {
        var versions = new ArrayList<String>();
        for (var each : run("ls", "--all", "--json").succeeded().json().get("datasets")) {
            if (each.get("dataset").asText().equals(dataset)) {
                each.get("versions")
                        .forEach(one -> versions.add(one.get("version").asText() + " "
                                + one.get("state").asText()));
            }
        }
        return versions;
    }

    /// The shards of a version as `ls` prints them.
    List<JsonNode> shards(String ref) {
        var shards = new ArrayList<JsonNode>();
        run("ls", ref, "--json").succeeded().json().get("shards").forEach(shards::add);
        return shards;
    }

    JsonNode status() {
        return run("status", "--json").json();
    }

    /// Where the gateway answers. It keeps its address as long as the cluster is up.
    String gateway() {
        if (gateway.isEmpty()) {
            gateway = status().get("gateway").asText();
        }
        return gateway;
    }

    long pid(String name) {
        for (var process : status().get("processes")) {
            if (process.get("name").asText().equals(name)) {
                return process.get("pid").asLong();
            }
        }
        throw new AssertionError("no process " + name);
    }

    String url(String name) {
        for (var process : status().get("processes")) {
            if (process.get("name").asText().equals(name)) {
                return process.get("url").asText();
            }
        }
        throw new AssertionError("no process " + name);
    }

    /// kill -9, and gone when it returns.
    void kill(String name) {
        var pid = pid(name);
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        await("the end of " + name, () -> !runs(pid));
    }

    /// @param signal `STOP` or `CONT`, which needs nothing of the process
    static void signal(String signal, long pid) {
        try {
            var sent = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                    .inheritIO()
                    .start();
            if (sent.waitFor() != 0) {
                throw new AssertionError("no process " + pid + " takes " + signal);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    HttpResponse<byte[]> get(String path, String... headers) {
        return send("GET", path, headers);
    }

    HttpResponse<byte[]> head(String path, String... headers) {
        return send("HEAD", path, headers);
    }

    private HttpResponse<byte[]> send(String method, String path, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(gateway() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofMinutes(1));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(method + " " + path + " broke off", e);
        }
    }

    /// The document at a URL of a service; an empty one where there is none.
    static JsonNode json(String url) {
        try {
            var answer =
                    HTTP.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == 200 ? Json.MAPPER.readTree(answer.body()) : Json.MAPPER.createObjectNode();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// The value of one metric of one process, summed over its labels that contain `label`.
    double metric(String process, String metric, String label) {
        return metricAt(url(process), metric, label);
    }

    /// The same of the process that answers there.
    static double metricAt(String url, String metric, String label) {
        try {
            var request = HttpRequest.newBuilder(URI.create(url + "/q/metrics")).build();
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(metric) && line.contains(label))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Waits until `condition` holds; fails after a minute.
    static void await(String what, java.util.function.BooleanSupplier condition) {
        await(what, Duration.ofMinutes(1), condition);
    }

    /// Waits until `condition` holds; fails when it does not within the time.
    static void await(String what, Duration patience, java.util.function.BooleanSupplier condition) {
        await(what, patience, POLL, condition);
    }

    /// @param pause between two looks
    static void await(String what, Duration patience, Duration pause, java.util.function.BooleanSupplier condition) {
        var deadline = Instant.now().plus(patience);
        while (!condition.getAsBoolean()) {
            if (Instant.now().isAfter(deadline)) {
                throw new AssertionError("not within " + patience + ": " + what);
            }
            Thread.onSpinWait();
            java.util.concurrent.locks.LockSupport.parkNanos(pause.toNanos());
        }
    }

    /// Whether a process lives. One that ended and is only not yet collected by its parent does not.
    static boolean runs(long pid) {
        try {
            var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        var pids = new ArrayList<Long>();
        status().get("processes").forEach(process -> pids.add(process.get("pid").asLong()));
        run("down").succeeded();
        var left = pids.stream().filter(Tarpon::runs).toList();
        if (!left.isEmpty()) {
            throw new AssertionError("'down' left processes: " + left);
        }
    }
}
