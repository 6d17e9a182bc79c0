package io.tarpon.service.stream;

import io.smallrye.reactive.messaging.ClientCustomizer;
import java.util.Map;
import org.eclipse.microprofile.config.Config;

/// Lets the clients of channels log in as [Brokers] says. What a channel has of its own goes first. A function makes
/// one a bean.
public final class ChannelLogin implements ClientCustomizer<Map<String, Object>> {
    private final Brokers brokers;

    public ChannelLogin(Brokers brokers) {
        this.brokers = brokers;
    }

    @Override
    public Map<String, Object> customize(String channel, Config channelConfig, Map<String, Object> client) {
        brokers.login().forEach(client::putIfAbsent);
        return client;
    }
}
