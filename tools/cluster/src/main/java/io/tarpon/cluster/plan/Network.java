package io.tarpon.cluster.plan;

import java.util.List;

/// Where the processes of a cluster answer each other.
public sealed interface Network permits Loopback, Namespaces {
    /// The address that a process listens on.
    String host(String process);

    /// A port there that is free, the wanted one if it is; 0 wants any.
    int port(int wanted);

    /// What stands before the command of a process.
    List<String> entrance(String process);

    /// The machine that the gateway and a node are on together, so that it reads that node's files itself.
    ///
    /// @param number of the gateway, from 1
    String hostOfGateway(int number, int nodes);
}
