package io.tarpon.metadata;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.StoreConfig;
import io.tarpon.store.Stores;
import io.tarpon.testkit.S3ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// Over a real S3 server, each test in a prefix of its own.
class S3GarbageTest extends GarbageContract {
    private static S3ServerProcess server;

    @ConfigMapping(prefix = "tarpon")
    interface Config {
        StoreConfig store();
    }

    @BeforeAll
    static void startServer(@TempDir Path data) throws IOException {
        server = S3ServerProcess.start(data);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    ObjectStore open(Path folder) throws IOException {
        var settings = new HashMap<>(server.settings("tarpon.store.s3."));
        settings.put("tarpon.store.kind", "s3");
        settings.put("tarpon.store.s3.prefix", UUID.randomUUID() + "/");
        var config = new SmallRyeConfigBuilder()
                .withMapping(Config.class)
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build();
        return Stores.open(config.getConfigMapping(Config.class).store());
    }
}
