package io.tarpon.service.stream;

import io.smallrye.reactive.messaging.ClientCustomizer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/// Gives each consumer of a process whose name stays an id in the group that stays as well: who is back within the
/// session's time-out gets its partitions back, and nobody else's work moves. The price is that the partitions of such
/// a process that ends for good lie still for that time, so a process without a name has no such id and leaves the
/// group when it ends. A function makes one a bean.
public final class StaticMembership implements ClientCustomizer<Map<String, Object>> {
    private final String channel;
    private final String key;
    private final Optional<String> instance;

    /// @param channel whose consumers these are
    /// @param key the setting that the name comes from
    /// @param instance as no other process of the group is called
    public StaticMembership(String channel, String key, Optional<String> instance) {
        this.channel = channel;
        this.key = key;
        this.instance = instance;
    }

    @Override
    public Map<String, Object> customize(String name, Config channelConfig, Map<String, Object> client) {
        if (name.equals(channel) || name.startsWith(channel + "$")) {
            instance.ifPresent(
                    own -> client.put("group.instance.id", id(host(), own, String.valueOf(client.get("client.id")))));
        }
        return client;
    }

    /// @param client as no other consumer of the process is called
    static String id(String host, String instance, String client) {
        return (host + "-" + instance + "-" + client).replaceAll("[^A-Za-z0-9._-]", "-");
    }

    private String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(key + " needs a host with a name: " + e.getMessage(), e);
        }
    }
}
