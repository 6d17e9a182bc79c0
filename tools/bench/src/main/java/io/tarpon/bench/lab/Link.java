package io.tarpon.bench.lab;

import io.tarpon.cluster.disk.ProcessFacts;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.plan.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// A slow link to a server, as a process of its lab, which counts what it carries.
public final class Link {
    private static final String NAME = "slow-link";
    private static final Pattern READY = Pattern.compile("ready slow-link port=([0-9]+) pid=[0-9]+");
    private static final Pattern CARRIED = Pattern.compile("done carried to-target=[0-9]+ to-client=([0-9]+)");

    private final OutputStream commands;
    private final BufferedReader answers;
    private final String url;

    private Link(OutputStream commands, BufferedReader answers, String url) {
        this.commands = commands;
        this.answers = answers;
        this.url = url;
    }

    /// @param latencyMs before each request arrives
    /// @param bytesPerSecond of one connection; 0 is no limit
    public static Link open(Lab lab, Member target, int latencyMs, long bytesPerSecond) throws IOException {
        var paths = lab.context().state().paths();
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = new ArrayList<>(List.of(ProcessFacts.detacher(), java, "-Xmx192m", "-XX:+UseSerialGC"));
        command.addAll(Programs.classPath(paths, "link", "io.tarpon.servers.link.SlowLink"));
        command.addAll(List.of("--to", target.host() + ":" + target.port()));
        command.addAll(List.of("--request-latency-ms", Integer.toString(latencyMs)));
        command.addAll(List.of("--bytes-per-second", Long.toString(bytesPerSecond)));
        var process = new ProcessBuilder(command)
                .redirectError(paths.output(NAME).toFile())
                .start();
        lab.adopt(NAME, "http://127.0.0.1:0", process.toHandle());
        var answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        var ready = READY.matcher(String.valueOf(answers.readLine()));
        if (!ready.matches()) {
            throw new IOException("the slow link did not start; see " + paths.output(NAME));
        }
        return new Link(process.getOutputStream(), answers, "http://127.0.0.1:" + ready.group(1));
    }

    public String url() {
        return url;
    }

    /// Bytes that came through from the server so far, heads of answers included.
    public long carried() throws IOException {
        commands.write("carried\n".getBytes(StandardCharsets.US_ASCII));
        commands.flush();
        var answer = String.valueOf(answers.readLine());
        var count = CARRIED.matcher(answer);
        if (!count.matches()) {
            throw new IOException("the slow link answered '" + answer + "'");
        }
        return Long.parseLong(count.group(1));
    }
}
