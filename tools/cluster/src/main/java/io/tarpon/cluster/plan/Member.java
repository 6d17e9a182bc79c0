package io.tarpon.cluster.plan;

import java.util.List;
import java.util.Map;

/// One process of the cluster: what to start, and which process it became.
///
/// @param url where it answers HTTP; `host:port` for the broker
/// @param pid 0 before it is first started
/// @param startedMillis when the operating system says that this pid began; a pid is believed only together with it
public record Member(
        String name,
        String url,
        List<String> command,
        Map<String, String> environment,
        String form,
        long pid,
        long startedMillis) {
    public Member {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /// One that runs in a JVM, or is no service of ours.
    public static Member of(String name, String url, List<String> command, Map<String, String> environment) {
        return new Member(name, url, command, environment, ServiceForm.JVM.wireName(), 0, 0);
    }

    Member as(ServiceForm newForm) {
        return new Member(name, url, command, environment, newForm.wireName(), pid, startedMillis);
    }

    Member running(List<String> newCommand) {
        return new Member(name, url, newCommand, environment, form, pid, startedMillis);
    }

    public Member startedAs(long newPid, long newStartedMillis) {
        return new Member(name, url, command, environment, form, newPid, newStartedMillis);
    }

    public String host() {
        return address().substring(0, address().lastIndexOf(':'));
    }

    public int port() {
        return Integer.parseInt(address().substring(address().lastIndexOf(':') + 1));
    }

    private String address() {
        return url.substring(url.lastIndexOf('/') + 1);
    }

    /// Whether it writes, when it ends, what later starts begin with: that takes a while.
    public boolean isRehearsal() {
        return command.stream().anyMatch(word -> word.startsWith(Programs.REHEARSES));
    }

    /// Whether it is a replica of metadata-svc.
    public boolean isMetadata() {
        return name.equals(ClusterPlan.METADATA) || name.startsWith(ClusterPlan.METADATA + "-");
    }

    /// Whether it is a block service.
    public boolean isBlockService() {
        return name.startsWith(ClusterPlan.BLOCK + "-");
    }

    /// Whether it is one of our services, which say over HTTP how they are; the servers beside them only listen.
    public boolean isService() {
        return !name.equals(ClusterPlan.BROKER) && !name.equals(ClusterPlan.S3);
    }
}
