package io.tarpon.service.stream;

import io.tarpon.service.LoginFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.scram.ScramExtensionsCallback;
import org.jspecify.annotations.Nullable;

/// Gives a Kafka client name and password from [LoginFiles] whenever it logs in: on each new connection, and where the
/// brokers ask for it again. So a password that is changed needs no restart, and connections that stand are not broken.
/// Kafka makes one for each client, by its name: native executables are told so.
public final class FileLogin implements AuthenticateCallbackHandler {
    private @Nullable LoginFiles files;

    @Override
    public void configure(Map<String, ?> settings, String mechanism, List<AppConfigurationEntry> jaas) {
        files = new LoginFiles(path(settings, LoginFiles.USERNAME), path(settings, LoginFiles.PASSWORD));
    }

    private static Path path(Map<String, ?> settings, String key) {
        if (settings.get(key) instanceof String file) {
            return Path.of(file);
        }
        throw new KafkaException(key + " is not among the client's settings");
    }

    @Override
    public void handle(Callback[] callbacks) throws IOException, UnsupportedCallbackException {
        if (files == null) {
            throw new IllegalStateException("not configured");
        }
        var login = files.read();
        for (var callback : callbacks) {
            switch (callback) {
                case NameCallback name -> name.setName(login.name());
                case PasswordCallback password ->
                    password.setPassword(login.password().toCharArray());
                // There are none.
                case ScramExtensionsCallback _ -> {}
                default -> throw new UnsupportedCallbackException(callback);
            }
        }
    }

    @Override
    public void close() {}
}
