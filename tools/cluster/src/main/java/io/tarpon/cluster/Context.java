package io.tarpon.cluster;

import io.tarpon.cluster.client.DeadLetters;
import io.tarpon.cluster.client.Gateway;
import io.tarpon.cluster.client.Http;
import io.tarpon.cluster.client.Metadata;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.disk.ProcessFacts;
import io.tarpon.cluster.disk.StateFolder;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.process.Processes;
import io.tarpon.wire.client.MetadataClient;
import java.nio.file.Path;
import java.util.Optional;

/// What a command works with: the console, the state folder and, on demand, the running cluster.
public final class Context {
    private final Console console;
    private final StateFolder state;
    private final LocalCluster cluster;
    private final Http http = new Http();

    private Context(Console console, StateFolder state) {
        this.console = console;
        this.state = state;
        this.cluster = new LocalCluster(state, new Processes(ProcessFacts.detacher()), http, console);
    }

    /// The launcher says where it stands (`TARPON_PRODUCT`); the state folder is beside it unless `TARPON_HOME` says
    /// otherwise.
    public static Context open(Console console) {
        var product = Path.of(
                        Optional.ofNullable(System.getenv("TARPON_PRODUCT")).orElse("."))
                .toAbsolutePath()
                .normalize();
        var state = Optional.ofNullable(System.getenv("TARPON_HOME"))
                .filter(home -> !home.isBlank())
                .map(home -> Path.of(home).toAbsolutePath().normalize())
                .orElse(product.resolve(".tarpon"));
        return of(console, new ClusterPaths(state, product));
    }

    /// On that state folder and those programs.
    public static Context of(Console console, ClusterPaths paths) {
        return new Context(console, StateFolder.open(paths));
    }

    public Console console() {
        return console;
    }

    public StateFolder state() {
        return state;
    }

    public LocalCluster cluster() {
        return cluster;
    }

    public Http http() {
        return http;
    }

    /// The same console and programs on another state folder, with a cluster of its own.
    public Context at(Path otherState) {
        return of(console, new ClusterPaths(otherState, state.paths().product()));
    }

    /// metadata-svc of a running cluster, with the right to change things.
    public Metadata metadata(Roster roster) {
        return new Metadata(new MetadataClient(roster.metadata(), state.token()));
    }

    public DeadLetters deadLetters(Roster roster) {
        return new DeadLetters(http, roster.ingest(), state.token());
    }

    public Gateway gateway() {
        return gateway(cluster.running());
    }

    public Gateway gateway(Roster roster) {
        return new Gateway(http, roster.gateway());
    }
}
