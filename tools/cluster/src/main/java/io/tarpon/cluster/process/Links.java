package io.tarpon.cluster.process;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.disk.KernelNames;
import io.tarpon.cluster.plan.LinkChange;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.plan.Namespaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The network of one state folder, made and changed by the programs `ip` and `tc`. All that belongs to it has the
/// folder's id in its name; nothing else is ever touched, and what a killed command left is found by it.
///
/// Not for two commands at once: who makes or removes holds the lock of the state folder.
public final class Links {
    private static final Path INTERFACES = Path.of("/sys/class/net");
    private static final String WITHOUT = "run it as root, or leave --netns away (--no-netns)";

    /// A burst holds some of the largest packets, of 64 KiB; one that would wait longer is lost.
    private static final String BURST = "burst 256kb latency 50ms";

    private final String id;

    /// @param id of the state folder, by [Namespaces#id]
    public Links(String id) {
        this.id = id;
    }

    /// How links can be slowed here, besides not at all.
    ///
    /// @param rate,delay whether the kernel has the queue discipline, and this machine the program, for it
    public record Slowness(boolean rate, boolean delay) {}

    /// Fails where this machine, or this user, cannot have namespaces and bridges. Nothing is left of the trial.
    public Slowness require() {
        remove();
        var bridge = Namespaces.bridge(id);
        var namespace = Namespaces.namespacePrefix(id) + "trial";
        try {
            batch(
                    List.of("ip", "-batch", "-"),
                    List.of("link add " + bridge + " type bridge", "netns add " + namespace));
            return new Slowness(takes(bridge, "tbf rate 1gbit " + BURST), takes(bridge, "netem delay 1ms"));
        } finally {
            remove();
        }
    }

    private static boolean takes(String device, String discipline) {
        try {
            batch(List.of("tc", "-batch", "-"), List.of("qdisc replace dev " + device + " root " + discipline));
            return true;
        } catch (CommandFailure e) {
            return false;
        }
    }

    /// Makes a bridge, and for each process a namespace with a link to it. Nothing of this id is there before.
    ///
    /// @param subnets of which the first is taken that this machine has no way to yet
    public Namespaces make(List<String> subnets, List<String> processes) {
        var namespaces = new Namespaces(id, freeSubnet(subnets), processes);
        var bridge = Namespaces.bridge(id);
        var lines = new ArrayList<>(List.of(
                "link add " + bridge + " address " + namespaces.bridgeAddress() + " type bridge",
                "addr add " + namespaces.ownAddress() + "/24 dev " + bridge,
                "link set " + bridge + " up"));
        for (var process : processes) {
            var namespace = namespaces.namespace(process);
            var link = namespaces.link(process);
            lines.add("netns add " + namespace);
            lines.add("link add " + link + " type veth peer name eth0 netns " + namespace);
            lines.add("link set " + link + " master " + bridge + " up");
        }
        try {
            batch(List.of("ip", "-batch", "-"), lines);
            for (var process : processes) {
                batch(
                        List.of("ip", "-n", namespaces.namespace(process), "-batch", "-"),
                        List.of(
                                "link set lo up",
                                "addr add " + namespaces.host(process) + "/24 dev eth0",
                                "link set eth0 up"));
            }
        } catch (CommandFailure e) {
            remove();
            throw e;
        }
        return namespaces;
    }

    /// One that neither is a way of this machine nor holds or lies in one, but for the way to everywhere.
    private static String freeSubnet(List<String> subnets) {
        return subnets.stream()
                .filter(subnet -> List.of("match", "root").stream()
                        .allMatch(how -> run(
                                        List.of("ip", "-4", "route", "show", "table", "all", how, subnet + ".0/24"), "")
                                .lines()
                                .allMatch(route -> route.isBlank() || route.startsWith("default"))))
                .findFirst()
                .orElseThrow(() -> CommandFailure.failed(
                        "this machine has ways to all of " + String.join(".0/24, ", subnets) + ".0/24",
                        "leave --netns away, or set TARPON_HOME to another folder: each has subnets of its own"));
    }

    /// Afterwards nothing of this id is there; where nothing is, nothing is run.
    public void remove() {
        var lines = new ArrayList<String>();
        for (var link : names(INTERFACES, Namespaces.bridge(id))) {
            lines.add("link del " + link);
        }
        for (var namespace : names(Namespaces.NAMES, Namespaces.namespacePrefix(id))) {
            lines.add("netns del " + namespace);
        }
        if (!lines.isEmpty()) {
            batch(List.of("ip", "-force", "-batch", "-"), lines);
        }
    }

    private static List<String> names(Path folder, String prefix) {
        try {
            return KernelNames.in(folder, prefix);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + folder, e);
        }
    }

    public void change(LinkChange change, Member member) {
        var link = Namespaces.link(id, member);
        switch (change) {
            case LinkChange.Down() -> ip("link set " + link + " down");
            case LinkChange.Apart() -> ip("link set " + link + " type bridge_slave isolated on");
            case LinkChange.Up() -> {
                ip("link set " + link + " type bridge_slave isolated off");
                ip("link set " + link + " up");
                ends(member).forEach(Links::unslowed);
            }
            case LinkChange.Slow(var rate, var delay) -> {
                var discipline = delay.isEmpty()
                        ? "tbf rate " + rate + " " + BURST
                        : "netem delay " + delay + (rate.isEmpty() ? "" : " rate " + rate);
                ends(member).forEach(end -> slowed(end, discipline));
            }
        }
    }

    private static void ip(String line) {
        batch(List.of("ip", "-batch", "-"), List.of(line));
    }

    /// One end of a link: the command of `tc` for the namespace it is in, and its name there.
    private record End(List<String> tc, String name) {}

    private List<End> ends(Member member) {
        return List.of(
                new End(List.of("tc", "-batch", "-"), Namespaces.link(id, member)),
                new End(List.of("tc", "-n", Namespaces.namespacePrefix(id) + member.name(), "-batch", "-"), "eth0"));
    }

    private static void slowed(End end, String discipline) {
        try {
            batch(end.tc(), List.of("qdisc replace dev " + end.name() + " root " + discipline));
        } catch (CommandFailure e) {
            throw CommandFailure.failed(
                    String.valueOf(e.getMessage()),
                    "this kernel may lack the queue discipline, sch_tbf for a rate, sch_netem for a delay; connections"
                            + " to a store can be slowed without it, by the slow link of tools/local-servers");
        }
    }

    private static void unslowed(End end) {
        batch(end.tc(), List.of("qdisc replace dev " + end.name() + " root noqueue"));
    }

    private static void batch(List<String> command, List<String> lines) {
        run(command, String.join("\n", lines) + "\n");
    }

    /// What a program printed; fails where it did.
    private static String run(List<String> command, String input) {
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (var to = process.outputWriter(StandardCharsets.UTF_8)) {
                to.write(input);
            }
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor() != 0) {
                throw CommandFailure.failed(
                        "cannot change the network: " + command.getFirst() + " said: " + said.replace('\n', ' '),
                        WITHOUT);
            }
            return said;
        } catch (IOException e) {
            throw CommandFailure.failed(
                    "cannot run '" + command.getFirst() + "': " + e.getMessage(),
                    "network namespaces need Linux and iproute2; or leave --netns away (--no-netns)");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailure.failed("interrupted", "");
        }
    }
}
