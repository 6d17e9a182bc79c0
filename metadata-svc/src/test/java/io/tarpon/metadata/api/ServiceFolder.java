package io.tarpon.metadata.api;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A state folder and a token of this run alone, and no broker: the service must do without one.
public class ServiceFolder implements QuarkusTestResourceLifecycleManager {
    static final String TOKEN = "test-token-0123456789abcdef";

    private @Nullable Path temp;

    @Override
    public Map<String, String> start() {
        try {
            temp = Files.createTempDirectory("metadata-svc-");
            return Map.ofEntries(
                    Map.entry("tarpon.metadata.dir", temp.resolve("state").toString()),
                    Map.entry(
                            "tarpon.token-file",
                            Files.writeString(temp.resolve("token"), TOKEN + "\n")
                                    .toString()),
                    Map.entry(
                            "tarpon.store.directory.root", temp.resolve("store").toString()),
                    Map.entry("tarpon.gc.grace", "PT0S"),
                    Map.entry("tarpon.gc.reader-timeout", "PT0.3S"),
                    Map.entry("tarpon.metadata.failed-version-expiry", "PT2S"),
                    Map.entry("tarpon.metadata.expiry-interval", "PT0.1S"),
                    Map.entry("tarpon.metadata.node-timeout", "PT0.3S"),
                    Map.entry("tarpon.metadata.deaf-timeout", "PT0S"),
                    Map.entry("tarpon.metadata.revision-timeout", "PT0.2S"),
                    Map.entry("kafka.bootstrap.servers", "127.0.0.1:1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path folder() {
        return Objects.requireNonNull(temp, "made at the start");
    }

    @Override
    public void stop() {
        if (temp != null) {
            try (var paths = Files.walk(temp)) {
                for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
