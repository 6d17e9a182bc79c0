package io.tarpon.service.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.Test;

class BrokersTest {
    private static final Map<String, String> FILES = Map.of(
            "tarpon.kafka.username-file", "/run/kafka/user", "tarpon.kafka.password-file", "/run/kafka/password");

    @Test
    void withoutALoginClientsKnowTheServersAlone() {
        assertThat(brokers(Map.of("kafka.bootstrap.servers", "one:9092", "kafka.group.id", "x"))
                        .clients())
                .isEqualTo(Map.of("bootstrap.servers", "one:9092"));
    }

    @Test
    void settingsOfTlsAndSaslGoToEveryClient() {
        var tls = Map.of(
                "security.protocol", "SSL",
                "ssl.truststore.type", "PEM",
                "ssl.truststore.location", "/run/kafka/ca.crt");
        var configured = new HashMap<String, String>();
        tls.forEach((key, value) -> configured.put("kafka." + key, value));
        assertThat(brokers(configured).clients(Map.of("client.id", "me")))
                .containsAllEntriesOf(tls)
                .containsEntry("client.id", "me");
    }

    @Test
    void filesMeanScramOverTls() {
        assertThat(brokers(FILES).login())
                .containsAllEntriesOf(FILES)
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("sasl.mechanism", "SCRAM-SHA-512")
                .containsEntry("sasl.client.callback.handler.class", FileLogin.class.getName());
    }

    @Test
    void aChannelsOwnLoginGoesFirst() {
        var client = new HashMap<String, Object>(Map.of("security.protocol", "SASL_PLAINTEXT", "acks", "all"));
        var brokers = brokers(FILES);
        assertThat(new ChannelLogin(brokers).customize("plans", brokersConfig(FILES), client))
                .containsEntry("security.protocol", "SASL_PLAINTEXT")
                .containsEntry("acks", "all")
                .containsAllEntriesOf(FILES);
    }

    @Test
    void settingsThatDoNotGoTogetherAreRefused() {
        refused("tarpon.kafka.password-file belong together", Map.of("tarpon.kafka.username-file", "/user"));
        refused("needs kafka.security.protocol SASL_SSL or SASL_PLAINTEXT, not SSL", with("security.protocol", "SSL"));
        refused("kafka.sasl.mechanism must be one of", with("sasl.mechanism", "GSSAPI"));
        refused("kafka.sasl.jaas.config are two logins", with("sasl.jaas.config", "any required;"));
    }

    @Test
    void aLoginIsNotPrinted() {
        assertThat(brokers(Map.of("kafka.bootstrap.servers", "one:9092", "kafka.sasl.jaas.config", "secret"))
                        .toString())
                .isEqualTo("one:9092");
    }

    private static void refused(String message, Map<String, String> settings) {
        assertThatThrownBy(() -> brokers(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private static Map<String, String> with(String key, String value) {
        var settings = new HashMap<>(FILES);
        settings.put("kafka." + key, value);
        return settings;
    }

    static Brokers brokers(Map<String, String> settings) {
        return Brokers.of(brokersConfig(settings));
    }

    private static Config brokersConfig(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build();
    }
}
