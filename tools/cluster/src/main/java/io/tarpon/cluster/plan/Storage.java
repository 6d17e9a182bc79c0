package io.tarpon.cluster.plan;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/// Where objects lie, as settings for whoever reads or writes them.
///
/// @param store `tarpon.store.*`
/// @param sources `tarpon.sources.*`: what may be read besides folders
/// @param environment what processes that use it need in their environment
public record Storage(Map<String, String> store, Map<String, String> sources, Map<String, String> environment) {
    public static final String STORE_BUCKET = "tarpon";
    /// The bucket of raw data, and the id of the source that it is.
    public static final String RAW_BUCKET = "raw";

    public Storage {
        store = Map.copyOf(store);
        sources = Map.copyOf(sources);
        environment = Map.copyOf(environment);
    }

    public static Storage inFolder(Path root) {
        return new Storage(
                Map.of("tarpon.store.kind", "directory", "tarpon.store.directory.root", root.toString()),
                Map.of(),
                Map.of());
    }

    /// @param endpoint base URL of the S3 server
    public static Storage inBuckets(String endpoint, S3Keys keys) {
        return new Storage(
                bucket("tarpon.store.kind", "tarpon.store.s3.", endpoint, STORE_BUCKET),
                bucket(
                        "tarpon.sources." + RAW_BUCKET + ".kind",
                        "tarpon.sources." + RAW_BUCKET + ".",
                        endpoint,
                        RAW_BUCKET),
                keys.environment());
    }

    private static Map<String, String> bucket(String kindKey, String prefix, String endpoint, String bucket) {
        var settings = new TreeMap<String, String>();
        settings.put(kindKey, "s3");
        settings.put(prefix + "endpoint", endpoint);
        settings.put(prefix + "region", "us-east-1");
        settings.put(prefix + "bucket", bucket);
        settings.put(prefix + "path-style", "true");
        return settings;
    }

    /// All settings of both, with the login in them, for a process that has not got it in its environment: this one.
    public Map<String, String> ownSettings(S3Keys keys) {
        var all = new LinkedHashMap<>(store);
        all.putAll(sources);
        for (var prefix : new String[] {"tarpon.store.s3.", "tarpon.sources." + RAW_BUCKET + "."}) {
            all.put(prefix + "access-key-id", keys.accessKey());
            all.put(prefix + "secret-access-key", keys.secretKey());
        }
        return all;
    }
}
