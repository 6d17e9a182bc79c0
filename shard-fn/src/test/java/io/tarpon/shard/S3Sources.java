package io.tarpon.shard;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.tarpon.store.Sources;
import java.util.HashMap;
import java.util.Map;

/// The source `raw`: the bucket of that name of an S3 server on loopback.
final class S3Sources {
    private S3Sources() {}

    static Sources at(int port) {
        var values = new HashMap<>(Map.of(
                "tarpon.token-file", "/nowhere",
                "tarpon.shard.parallel", "2",
                "tarpon.sources.raw.kind", "s3",
                "tarpon.sources.raw.endpoint", "http://127.0.0.1:" + port,
                "tarpon.sources.raw.bucket", "raw",
                "tarpon.sources.raw.access-key-id", "any",
                "tarpon.sources.raw.secret-access-key", "any"));
        values.put("tarpon.sources.raw.first-pause", "PT0.001S");
        var config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(ShardConfig.class)
                .withSources(new PropertiesConfigSource(values, "test", 100))
                .build()
                .getConfigMapping(ShardConfig.class);
        return new Sources(config);
    }
}
