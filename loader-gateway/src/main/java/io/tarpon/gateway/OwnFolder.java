package io.tarpon.gateway;

import io.tarpon.gateway.disk.SumsFolder;
import io.tarpon.gateway.disk.UnnamedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// What lies below `tarpon.gateway.dir`, where that is set. A folder that cannot be used stops the start.
final class OwnFolder {
    /// Single shards may take this part of what splits may.
    private static final int SHARDS_PART = 4;

    private OwnFolder() {}

    /// For where the samples of splits are.
    static Optional<UnnamedFiles> layouts(GatewayConfig.Gateway config) throws IOException {
        return open(
                config,
                "layouts",
                folder -> UnnamedFiles.open(folder, config.layoutFiles().asLongValue()));
    }

    /// For where those of single shards are.
    static Optional<UnnamedFiles> shardLayouts(GatewayConfig.Gateway config) throws IOException {
        return open(
                config,
                "shards",
                folder -> UnnamedFiles.open(folder, config.layoutFiles().asLongValue() / SHARDS_PART));
    }

    /// For where those of epochs' bodies begin.
    static Optional<SumsFolder> sums(GatewayConfig.Gateway config) throws IOException {
        return open(
                config,
                "sums",
                folder -> SumsFolder.open(folder, config.planFiles().asLongValue()));
    }

    @FunctionalInterface
    private interface Opening<T> {
        T open(Path folder) throws IOException;
    }

    private static <T> Optional<T> open(GatewayConfig.Gateway config, String name, Opening<T> opening)
            throws IOException {
        var dir = config.dir();
        if (dir.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(opening.open(dir.get().resolve(name)));
        } catch (IOException e) {
            throw new IOException("tarpon.gateway.dir " + dir.get() + " cannot be used: " + e, e);
        }
    }
}
