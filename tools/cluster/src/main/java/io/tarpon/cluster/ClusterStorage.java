package io.tarpon.cluster;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.tarpon.cluster.disk.StateFolder;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.plan.Storage;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.Sources;
import io.tarpon.store.SourcesConfig;
import io.tarpon.store.StoreConfig;
import io.tarpon.store.Stores;
import io.tarpon.store.UnknownSourceException;
import io.tarpon.store.directory.DirectorySource;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/// The objects and the raw data of a local cluster, reached past its services, by the settings they have.
public final class ClusterStorage implements AutoCloseable {
    private static final int ORDINAL = 100;

    private final ObjectStore store;
    private final Sources sources;

    /// The keys of these that [Storage] sets, read as the services read them.
    public interface Settings extends SourcesConfig {
        StoreConfig store();
    }

    private ClusterStorage(ObjectStore store, Sources sources) {
        this.store = store;
        this.sources = sources;
    }

    public static ClusterStorage open(StateFolder state, Roster roster) {
        var settings = settings(roster.s3()
                .map(endpoint -> {
                    var keys = state.s3Keys();
                    return Storage.inBuckets(endpoint, keys).ownSettings(keys);
                })
                .orElseGet(() -> Storage.inFolder(state.paths().store()).store()));
        try {
            return new ClusterStorage(Stores.open(settings.store()), new Sources(settings));
        } catch (IOException e) {
            throw CommandFailure.failed("cannot open the object store: " + e.getMessage(), "look at: ./tarpon status");
        }
    }

    /// Nothing else counts: neither the environment nor files of the person who runs the command.
    private static Settings settings(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(settings, "cluster", ORDINAL))
                .withMapping(Settings.class, "tarpon")
                .build()
                .getConfigMapping(Settings.class, "tarpon");
    }

    public ObjectStore store() {
        return store;
    }

    /// The raw data that a plan names: the person who verifies may read what the services may.
    public ObjectSource source(String reference) throws IOException {
        if (reference.startsWith("file:")) {
            return new DirectorySource(Path.of(URI.create(reference)));
        }
        try {
            return sources.open(reference);
        } catch (UnknownSourceException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()), "verify without --source");
        }
    }

    @Override
    public void close() {
        sources.close();
        store.close();
    }
}
