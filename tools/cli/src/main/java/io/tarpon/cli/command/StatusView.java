package io.tarpon.cli.command;

import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.console.Sizes;
import io.tarpon.cluster.console.Table;
import io.tarpon.cluster.plan.ClusterStatus;

/// A cluster's state, for people or machines.
final class StatusView {
    private StatusView() {}

    static void show(Console console, ClusterStatus status) {
        console.document(status);
        tables(console, status);
    }

    static void tables(Console console, ClusterStatus status) {
        console.heading("cluster " + status.state());
        if (!status.processes().isEmpty()) {
            var table = new Table("PROCESS", "STATE", "FORM", ">PID", ">MEMORY", "URL");
            status.processes()
                    .forEach(process -> table.row(
                            process.name(),
                            process.state(),
                            process.form(),
                            process.pid(),
                            process.rssBytes() == 0 ? "-" : Sizes.human(process.rssBytes()),
                            process.url()));
            console.table(table);
        }
        if (!status.nodes().isEmpty()) {
            console.line("");
            var table = new Table("NODE", "STATE", "HOST", "ZONE", ">BLOCKS", ">BYTES");
            status.nodes()
                    .forEach(node -> table.row(
                            node.id(),
                            node.state(),
                            node.host(),
                            node.zone(),
                            node.blocks(),
                            Sizes.human(node.bytes())));
            console.table(table);
        }
    }
}
