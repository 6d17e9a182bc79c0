package io.tarpon.system;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// The link over which block services and the gateway of a cluster reach its S3 server: as slow as it is told
/// to be, and at first as fast as it can. The functions write to the server directly.
final class SlowLink implements AutoCloseable {
    private static final String SETTING = "-Dtarpon.store.s3.endpoint=";
    private static final List<String> READERS = List.of("block-svc-1", "block-svc-2", "block-svc-3", "loader-gateway");
    private static final Pattern READY = Pattern.compile("ready slow-link port=([0-9]+) .*");

    private final Process process;
    private final BufferedReader answers;

    private SlowLink(Process process) {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /// The readers are started again.
    static SlowLink toTheStoreOf(Tarpon tarpon) throws IOException {
        var store = tarpon.url("s3");
        var home = Path.of(System.getProperty("tarpon.product"), "tools", "local-servers", "link", "target");
        var link = new SlowLink(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        home.resolve("local-servers-link.jar") + ":" + home.resolve("lib/*"),
                        "io.tarpon.servers.link.SlowLink",
                        "--to",
                        URI.create(store).getAuthority())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        try {
            var roster = tarpon.home().resolve("cluster.json");
            Files.writeString(roster, Files.readString(roster).replace(SETTING + store, SETTING + link.url()));
            READERS.forEach(name -> tarpon.run("restart", name).succeeded());
            return link;
        } catch (IOException | RuntimeException | AssertionError e) {
            link.close();
            throw e;
        }
    }

    private String url() throws IOException {
        var ready = READY.matcher(String.valueOf(answers.readLine()));
        if (!ready.matches()) {
            throw new AssertionError("the link did not start");
        }
        return "http://127.0.0.1:" + ready.group(1);
    }

    /// @param each of one connection, either way; 0 is no limit
    void bytesPerSecond(long each) throws IOException {
        var command = "bytes-per-second " + each;
        process.outputWriter(StandardCharsets.UTF_8)
                .append(command)
                .append('\n')
                .flush();
        var answer = answers.readLine();
        if (!("done " + command).equals(answer)) {
            throw new AssertionError(answer);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
