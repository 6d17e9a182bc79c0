package io.tarpon.ingest;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.tarpon.ingest.UploadAcceptance.UploadMessages;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.disk.TokenFile;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.Sources;
import io.tarpon.store.Stores;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.WriteToken;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/// Puts the parts together from the configuration. A value out of its bounds stops the start and names its key.
@Singleton
public class Wiring {
    private static final Logger LOG = Logger.getLogger(Wiring.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

    private final IngestConfig config;
    private final Optional<WriteToken> token;

    Wiring(IngestConfig config) throws IOException {
        this.config = config;
        this.token = token(config);
    }

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    @Produces
    @Singleton
    WriteAccess writeAccess() {
        return new WriteAccess(token.orElse(null));
    }

    @Produces
    @Singleton
    MetadataClient metadata() {
        var url = config.metadata().url();
        return token.map(known -> new MetadataClient(url, known)).orElseGet(() -> MetadataClient.readOnly(url));
    }

    void close(@Disposes MetadataClient metadata) {
        metadata.close();
    }

    @Produces
    @Singleton
    ObjectStore store() throws IOException {
        return Stores.open(config.store());
    }

    void close(@Disposes ObjectStore store) {
        store.close();
    }

    @Produces
    @Singleton
    Sources sources() {
        return new Sources(config);
    }

    void close(@Disposes Sources sources) {
        sources.close();
    }

    @Produces
    @Singleton
    SourceOpener opener(Sources sources) {
        return new SourceOpener() {
            @Override
            public ObjectSource open(String reference) throws IOException {
                return sources.open(reference);
            }

            @Override
            public String normalise(String reference) throws IOException {
                return sources.normalise(reference);
            }
        };
    }

    @Produces
    @Singleton
    UploadAcceptance acceptance(SourceOpener sources, UploadMessages messages, Clock clock) {
        return new UploadAcceptance(sources, messages, clock);
    }

    /// At start, so that a bad value shows at once.
    @Produces
    @Singleton
    @Startup
    VersionPlanning planning(
            MetadataClient metadata,
            SourceOpener sources,
            ObjectStore store,
            PlanMessages messages,
            Clock clock,
            MeterRegistry meters)
            throws IOException {
        var ingest = config.ingest();
        long sortMemory = bounded("sort-memory", ingest.sortMemory().asLongValue(), 1 << 20, 1 << 30);
        long capacity = bounded("spool-capacity", ingest.spoolCapacity().asLongValue(), 1 << 20, Long.MAX_VALUE);
        int maxShards = (int) bounded("max-shards", ingest.maxShards(), 1, 200_000);
        long retrySeconds = bounded("retry-for", ingest.retryFor().toSeconds(), 1, 3_600);
        var spool = new SpoolArea(Path.of(ingest.spoolDir()), capacity);
        return new VersionPlanning(
                metadata,
                sources,
                new PlanFreezing(store, spool, sortMemory, maxShards),
                new VersionFiles(store),
                new ShardMessages(metadata, messages, clock),
                new Patience(Duration.ofSeconds(retrySeconds), FIRST_PAUSE, LONGEST_PAUSE),
                meters.counter("tarpon.ingest.planned.samples"));
    }

    private static Optional<WriteToken> token(IngestConfig config) throws IOException {
        if (config.tokenFile().isEmpty()) {
            LOG.warn(
                    "no write token configured: uploads by HTTP are refused and no version can be begun key=tarpon.token-file");
            return Optional.empty();
        }
        return Optional.of(TokenFile.read(Path.of(config.tokenFile().get())));
    }

    private static long bounded(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "tarpon.ingest." + key + "=" + value + " is not between " + least + " and " + most);
        }
        return value;
    }
}
