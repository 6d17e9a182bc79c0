package io.tarpon.shard;

import io.tarpon.shard.assembly.AssemblyLimits;
import io.tarpon.shard.assembly.ShardAssembly;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.SourceObject;
import io.tarpon.store.SourceVisitor;
import io.tarpon.store.directory.DirectorySource;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.json.Json;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// A process that builds one shard and ends: to be killed in the middle, or to be given little memory. Prints `read N`
/// after each small object and
/// `done OUTCOME`.
final class BuildOnce {
    private BuildOnce() {}

    /// @param args source folder, store folder, URL of metadata, the message's data as JSON, pause after each small
    /// object in microseconds
    public static void main(String[] args) throws Exception {
        try (var store = DirectoryStore.open(Path.of(args[1]));
                var metadata = new MetadataClient(URI.create(args[2]), new WriteToken(MetadataStandIn.TOKEN));
                var source = new SlowSource(new DirectorySource(Path.of(args[0])), Long.parseLong(args[4]) * 1000);
                var assembly = new ShardAssembly(new AssemblyLimits(4, 16 << 20, 1))) {
            var patience = BuildFixture.impatience();
            var build = new BuildShard(
                    metadata, store, reference -> source, assembly, patience, Duration.ofSeconds(10), () -> false);
            System.out.println("done " + build.build(Json.MAPPER.readValue(args[3], ShardPlanned.class)));
        }
    }

    /// Starts this class in a JVM of its own with these JVM flags; its standard error joins its output.
    static Process fork(
            List<String> jvmFlags, Path folder, Path store, URI metadata, ShardPlanned planned, long pauseMicros)
            throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BuildOnce.class.getName()));
        command.addAll(List.of(folder.toString(), store.toString(), metadata.toString()));
        command.addAll(List.of(Json.text(planned), Long.toString(pauseMicros)));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .directory(new File("."))
                .start();
    }

    private record SlowSource(ObjectSource source, long pauseNanos, AtomicInteger count) implements ObjectSource {
        SlowSource(ObjectSource source, long pauseNanos) {
            this(source, pauseNanos, new AtomicInteger());
        }

        @Override
        public void list(SourceVisitor visitor) throws IOException {
            source.list(visitor);
        }

        @Override
        public Optional<SourceObject> find(String key) throws IOException {
            return source.find(key);
        }

        @Override
        public void read(String key, String etag, ByteBuffer into) throws IOException {
            source.read(key, etag, into);
            if (pauseNanos > 0) {
                LockSupport.parkNanos(pauseNanos);
                System.out.println("read " + count.incrementAndGet());
            }
        }

        @Override
        public InputStream open(String key, String etag, long size) throws IOException {
            return source.open(key, etag, size);
        }

        @Override
        public void close() {
            source.close();
        }
    }
}
