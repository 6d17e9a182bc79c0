package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.Jvm;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A container of a render as a process of this machine: the command of its image, its variables and its port as they
/// are. Its volumes are folders below one of its own, and the paths in its variables lead there; names are looked up in
/// a file.
final class RunningPod implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path IMAGE = Product.ROOT.resolve("k8s/images/Containerfile.jvm");
    private static final Pattern ENTRYPOINT = Pattern.compile("(?m)^ENTRYPOINT (\\[.*])$");
    private static final Pattern VARIABLES = Pattern.compile("(?m)^ENV (.*)$");
    private static final Duration START = Duration.ofSeconds(90);
    private static final int TIMEOUT_MILLIS = 3_000;
    private static final int LAST_LINES = 20;

    private final Run run;
    private final Process process;
    private final Path log;

    private RunningPod(Run run, Process process, Path log) {
        this.run = run;
        this.process = process;
        this.log = log;
    }

    /// What whoever installs provides, and what Kubernetes does.
    ///
    /// @param secrets by name and key
    /// @param hosts file of names, as `/etc/hosts`
    record Surroundings(Map<String, Map<String, String>> secrets, Path hosts) {}

    /// @param name of the pod, which the render leaves to Kubernetes
    static RunningPod start(Path home, Manifests manifests, Run run, String name, Surroundings around)
            throws IOException {
        var folders = new LinkedHashMap<String, Path>();
        for (var mount : run.container().path("volumeMounts").valueStream().toList()) {
            var path = mount.path("mountPath").asText();
            var folder = Files.createDirectories(home.resolve(path.substring(1)));
            folders.put(path, folder);
            for (var volume : run.pods().spec().path("volumes").valueStream().toList()) {
                if (volume.path("name").equals(mount.path("name"))) {
                    fill(folder, manifests, volume, around);
                }
            }
        }
        var image = Files.readString(IMAGE).replaceAll("\\\\\n *", "");
        var command = new ArrayList<String>();
        for (var word : JSON.readTree(only(ENTRYPOINT, image))) {
            command.add(word.asText()
                    .replace("/app/", Product.ROOT.resolve(run.program().name() + "/target/quarkus-app") + "/"));
        }
        command.set(0, Jvm.program(command.getFirst()));
        command.add(1, "-Djdk.net.hosts.file=" + around.hosts());
        var log = home.resolve("log");
        var builder = new ProcessBuilder(command)
                .directory(Files.createDirectories(home.resolve("tmp")).toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().clear();
        for (var variable : only(VARIABLES, image).split(" ", -1)) {
            builder.environment().put(variable.split("=", 2)[0], variable.split("=", 2)[1]);
        }
        run.settings()
                .variables()
                .forEach((key, value) -> builder.environment().put(key, mapped(given(value, name), folders)));
        return new RunningPod(run, builder.start(), log);
    }

    private static String only(Pattern pattern, String text) {
        var found = pattern.matcher(text).results().map(it -> it.group(1)).toList();
        if (found.size() != 1) {
            throw new AssertionError(IMAGE + " has " + found.size() + " of " + pattern);
        }
        return found.getFirst();
    }

    /// What the downward API says.
    private static String given(String value, String name) {
        return value.replace("<metadata.name>", name)
                .replace("<spec.nodeName>", "machine-1")
                .replace("<metadata.labels['topology.kubernetes.io/zone']>", "");
    }

    private static String mapped(String value, Map<String, Path> folders) {
        return Arrays.stream(value.split(",", -1))
                .map(part -> folders.entrySet().stream()
                        .filter(it -> part.equals(it.getKey()) || part.startsWith(it.getKey() + "/"))
                        .map(it -> it.getValue() + part.substring(it.getKey().length()))
                        .findFirst()
                        .orElse(part))
                .collect(Collectors.joining(","));
    }

    private static void fill(Path folder, Manifests manifests, JsonNode volume, Surroundings around)
            throws IOException {
        if (volume.has("secret")) {
            var name = Item.at(volume, "secret.secretName").asText();
            var data = around.secrets().get(name);
            if (data == null) {
                throw new AssertionError("nobody provides Secret " + name);
            }
            write(folder, data, volume.path("secret").path("items"));
        } else if (volume.has("configMap")) {
            var name = Item.at(volume, "configMap.name").asText();
            var data = manifests
                    .find("ConfigMap", name)
                    .map(Settings::data)
                    .orElseThrow(() -> new AssertionError("there is no ConfigMap " + name));
            write(folder, data, volume.path("configMap").path("items"));
        } else if (volume.has("projected")) {
            throw new AssertionError("projected volumes are not known here: " + volume);
        }
    }

    /// @param items that are files, and under which names; all under their own where there are none
    private static void write(Path folder, Map<String, String> data, JsonNode items) throws IOException {
        if (items.isEmpty()) {
            for (var each : data.entrySet()) {
                Files.writeString(folder.resolve(each.getKey()), each.getValue());
            }
        }
        for (var item : items) {
            var value = data.get(item.path("key").asText());
            if (value == null) {
                throw new AssertionError(item + " is not among " + data.keySet());
            }
            Files.writeString(folder.resolve(item.path("path").asText()), value);
        }
    }

    URI url(String path) {
        return URI.create("http://127.0.0.1:" + run.port() + path);
    }

    /// By its own readiness probe.
    void awaitReady() throws IOException {
        var probe = Item.at(run.container(), "readinessProbe.httpGet.path").asText();
        Deadline.until(START, run.title() + " is ready", () -> {
            if (!process.isAlive()) {
                throw new AssertionError(run.title() + " ended: " + String.join("\n", lastLines()));
            }
            return isOk(url(probe));
        });
    }

    private static boolean isOk(URI url) {
        try {
            var connection = (HttpURLConnection) url.toURL().openConnection();
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            return connection.getResponseCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    List<String> lastLines() throws IOException {
        var lines = Files.readAllLines(log);
        return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    }

    /// As Kubernetes ends it. Whether it went by itself within the time that it has for that.
    boolean stop() throws InterruptedException {
        process.destroy();
        var grace = run.pods().spec().path("terminationGracePeriodSeconds").asInt(30);
        return process.waitFor(grace, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
