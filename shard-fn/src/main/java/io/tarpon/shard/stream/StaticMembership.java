package io.tarpon.shard.stream;

import io.smallrye.reactive.messaging.ClientCustomizer;
import io.tarpon.shard.ShardConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import org.eclipse.microprofile.config.Config;

/// Gives each consumer of a process whose name stays (`tarpon.shard.instance`) an id in the group that stays as well:
/// who is back within the session's time-out gets its partitions back, and nobody else's work moves. The price is that
/// the partitions of such a process that ends for good lie still for that time, so a process without a name has no
/// such id and leaves the group when it ends.
@ApplicationScoped
public class StaticMembership implements ClientCustomizer<Map<String, Object>> {
    private static final String CHANNEL = "plans";

    private final ShardConfig config;

    StaticMembership(ShardConfig config) {
        this.config = config;
    }

    @Override
    public Map<String, Object> customize(String channel, Config channelConfig, Map<String, Object> client) {
        if (channel.equals(CHANNEL) || channel.startsWith(CHANNEL + "$")) {
            config.shard()
                    .instance()
                    .ifPresent(name ->
                            client.put("group.instance.id", id(host(), name, String.valueOf(client.get("client.id")))));
        }
        return client;
    }

    /// @param client as no other consumer of the process is called
    static String id(String host, String instance, String client) {
        return (host + "-" + instance + "-" + client).replaceAll("[^A-Za-z0-9._-]", "-");
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("tarpon.shard.instance needs a host with a name: " + e.getMessage(), e);
        }
    }
}
