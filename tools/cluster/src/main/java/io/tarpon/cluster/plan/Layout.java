package io.tarpon.cluster.plan;

/// On how many machines a cluster is, as far as one machine can show it.
///
/// @param nodes block services, each on a host and in a zone of its own
/// @param gateways processes of the gateway, each of which a client may ask
/// @param netns whether each process has a network namespace, an address and a link of its own
public record Layout(int nodes, int gateways, boolean netns) {
    public static final int MOST_NODES = 32;
    public static final int MOST_GATEWAYS = 8;

    /// What nobody chose otherwise.
    public static final Layout USUAL = new Layout(3, 1, false);

    public Layout {
        if (nodes < 1 || nodes > MOST_NODES) {
            throw new IllegalArgumentException(nodes + " nodes are not between 1 and " + MOST_NODES);
        }
        if (gateways < 1 || gateways > MOST_GATEWAYS) {
            throw new IllegalArgumentException(gateways + " gateways are not between 1 and " + MOST_GATEWAYS);
        }
    }

    public Layout withNodes(int number) {
        return new Layout(number, gateways, netns);
    }

    public Layout withGateways(int number) {
        return new Layout(nodes, number, netns);
    }

    public Layout withNetns(boolean wanted) {
        return new Layout(nodes, gateways, wanted);
    }

    /// The options of `up` that ask for it.
    @Override
    public String toString() {
        return "--nodes " + nodes + " --gateways " + gateways + (netns ? " --netns" : " --no-netns");
    }
}
