package io.tarpon.cluster.plan;

import io.tarpon.wire.Digests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/// Each process in a network namespace of its own, with an address of its own and one link to the bridge, on which this
/// machine is too. Namespaces have no other way out. Gateways are on machines without a node: every block they serve
/// comes over a link.
///
/// A link's end on this machine is named after the last number of its address, for a name has 15 characters at most.
///
/// @param id what the names of all that belongs to one state folder have in common
/// @param subnet the first three numbers of every address, `10.x.y`
/// @param processes all that have a namespace
public record Namespaces(String id, String subnet, List<String> processes) implements Network {
    private static final int ANY_PORT = 7000;
    private static final int ID_DIGITS = 8;
    private static final int FIRST = 2;

    /// Where `ip netns` keeps the names.
    public static final Path NAMES = Path.of("/run/netns");

    public Namespaces {
        processes = List.copyOf(processes);
    }

    /// The same state folder has the same names in every run.
    public static String id(ClusterPaths paths) {
        return digest(paths).substring(0, ID_DIGITS);
    }

    /// Subnets that a state folder may have, the first that is free.
    public static List<String> subnets(ClusterPaths paths) {
        var digest = digest(paths);
        return IntStream.range(ID_DIGITS / 2, digest.length() / 2 - 1)
                .mapToObj(at -> "10." + octet(digest, at) + "." + octet(digest, at + 1))
                .toList();
    }

    private static int octet(String hex, int at) {
        return Integer.parseInt(hex.substring(2 * at, 2 * at + 2), 16);
    }

    private static String digest(ClusterPaths paths) {
        return Digests.sha256Hex(paths.state().toString().getBytes(StandardCharsets.UTF_8));
    }

    /// What the names of a state folder's namespaces begin with.
    public static String namespacePrefix(String id) {
        return "tarpon-" + id + "-";
    }

    /// The bridge, and what the names of the links' ends on this machine begin with.
    public static String bridge(String id) {
        return "tp" + id;
    }

    /// The end on this machine of a member's link.
    public static String link(String id, Member member) {
        return bridge(id) + "-" + member.host().substring(member.host().lastIndexOf('.') + 1);
    }

    /// The namespace of a process.
    public String namespace(String process) {
        return namespacePrefix(id) + process;
    }

    /// The end on this machine of its link.
    public String link(String process) {
        return bridge(id) + "-" + number(process);
    }

    /// The bridge's hardware address. By itself a bridge takes that of a link, and another when that link goes: then
    /// nobody reaches this machine until all have asked again.
    public String bridgeAddress() {
        return "02:54:" + id.replaceAll("(..)(?=.)", "$1:");
    }

    /// The address of this machine on the bridge.
    public String ownAddress() {
        return subnet + ".1";
    }

    @Override
    public String host(String process) {
        return subnet + "." + number(process);
    }

    private int number(String process) {
        var index = processes.indexOf(process);
        if (index < 0) {
            throw new IllegalArgumentException(process + " has no namespace");
        }
        return FIRST + index;
    }

    @Override
    public int port(int wanted) {
        return wanted == 0 ? ANY_PORT : wanted;
    }

    @Override
    public List<String> entrance(String process) {
        return List.of("nsenter", "--net=" + NAMES.resolve(namespace(process)));
    }

    @Override
    public String hostOfGateway(int number, int nodes) {
        return "gateway-" + number;
    }
}
