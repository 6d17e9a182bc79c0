package io.tarpon.cluster.plan;

import java.util.List;
import java.util.function.IntUnaryOperator;

/// All on the loopback of this machine, told apart by ports; gateways are on the hosts of the first nodes.
///
/// @param freePort gives a free port, the wanted one if it is free; 0 wants any
public record Loopback(IntUnaryOperator freePort) implements Network {
    static final String ADDRESS = "127.0.0.1";

    @Override
    public String host(String process) {
        return ADDRESS;
    }

    @Override
    public int port(int wanted) {
        return freePort.applyAsInt(wanted);
    }

    @Override
    public List<String> entrance(String process) {
        return List.of();
    }

    @Override
    public String hostOfGateway(int number, int nodes) {
        return "node-" + ((number - 1) % nodes + 1);
    }
}
