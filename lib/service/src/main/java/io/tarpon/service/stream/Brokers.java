package io.tarpon.service.stream;

import io.tarpon.service.LoginFiles;
import java.util.HashMap;
import java.util.Map;
import javax.security.auth.spi.LoginModule;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.security.plain.PlainLoginModule;
import org.apache.kafka.common.security.scram.ScramLoginModule;
import org.eclipse.microprofile.config.Config;

/// Where the brokers are, and by what every client of this process is let in.
///
/// @param servers Kafka's `bootstrap.servers`
/// @param login client settings of TLS and SASL; empty where anybody is let in
public record Brokers(String servers, Map<String, String> login) {
    private static final String PREFIX = "kafka.";
    private static final ConfigDef LOGIN = new ConfigDef()
            .define(
                    CommonClientConfigs.SECURITY_PROTOCOL_CONFIG,
                    ConfigDef.Type.STRING,
                    ConfigDef.Importance.MEDIUM,
                    CommonClientConfigs.SECURITY_PROTOCOL_DOC)
            .withClientSslSupport()
            .withClientSaslSupport();

    private static final Map<String, Class<? extends LoginModule>> LOGIN_MODULES = Map.of(
            "SCRAM-SHA-512", ScramLoginModule.class,
            "SCRAM-SHA-256", ScramLoginModule.class,
            "PLAIN", PlainLoginModule.class);

    public Brokers {
        login = Map.copyOf(login);
    }

    /// Without a login.
    public static Brokers at(String servers) {
        return new Brokers(servers, Map.of());
    }

    /// What configuration says below `kafka.`, the prefix that channels take their settings from, and in
    /// the group `tarpon.kafka`: with files for name and password the mechanism is `SCRAM-SHA-512`, over TLS,
    /// unless `kafka.` says another.
    ///
    /// @throws IllegalArgumentException naming the key that does not go with the others
    public static Brokers of(Config config) {
        var login = new HashMap<String, String>();
        for (var key : LOGIN.names()) {
            config.getOptionalValue(PREFIX + key, String.class).ifPresent(value -> login.put(key, value));
        }
        var username = config.getOptionalValue(LoginFiles.USERNAME, String.class);
        var password = config.getOptionalValue(LoginFiles.PASSWORD, String.class);
        if (username.isPresent() != password.isPresent()) {
            throw new IllegalArgumentException(
                    LoginFiles.USERNAME + " and " + LoginFiles.PASSWORD + " belong together: one is missing");
        }
        if (username.isPresent() && password.isPresent()) {
            fromFiles(username.get(), password.get(), login);
        }
        return new Brokers(
                config.getOptionalValue(PREFIX + CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, String.class)
                        .orElse("127.0.0.1:9092"),
                login);
    }

    private static void fromFiles(String username, String password, Map<String, String> login) {
        if (login.containsKey(SaslConfigs.SASL_JAAS_CONFIG)) {
            throw new IllegalArgumentException(
                    LoginFiles.USERNAME + " and kafka.sasl.jaas.config are two logins: one is too many");
        }
        var protocol = login.computeIfAbsent(
                CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, _ -> SecurityProtocol.SASL_SSL.name);
        if (!protocol.startsWith("SASL_")) {
            throw new IllegalArgumentException(
                    LoginFiles.USERNAME + " needs kafka.security.protocol SASL_SSL or SASL_PLAINTEXT, not " + protocol);
        }
        var mechanism = login.computeIfAbsent(SaslConfigs.SASL_MECHANISM, _ -> "SCRAM-SHA-512");
        var module = LOGIN_MODULES.get(mechanism);
        if (module == null) {
            throw new IllegalArgumentException("kafka.sasl.mechanism must be one of "
                    + LOGIN_MODULES.keySet().stream().sorted().toList() + " with " + LoginFiles.USERNAME + ", not "
                    + mechanism);
        }
        login.put(SaslConfigs.SASL_JAAS_CONFIG, module.getName() + " required;");
        login.put(SaslConfigs.SASL_CLIENT_CALLBACK_HANDLER_CLASS, FileLogin.class.getName());
        login.put(LoginFiles.USERNAME, username);
        login.put(LoginFiles.PASSWORD, password);
    }

    /// What every client begins with.
    public Map<String, Object> clients() {
        var settings = new HashMap<String, Object>(login);
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, servers);
        return settings;
    }

    /// The same with more settings; those go first.
    public Map<String, Object> clients(Map<String, Object> more) {
        var settings = clients();
        settings.putAll(more);
        return settings;
    }

    /// Without the login, which may hold a password.
    @Override
    public String toString() {
        return servers;
    }
}
