package io.tarpon.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Gives a test that takes a [Tarpon] the one local cluster of all such tests. They leave it whole, and their datasets
/// have names of their own. It starts with the first of them and is stopped after the last test.
final class SharedCluster implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(SharedCluster.class);

    private record Cluster(Path folder, Tarpon tarpon) implements AutoCloseable {
        static Cluster start() {
            try {
                var folder = Files.createTempDirectory("shared-cluster");
                var tarpon = new Tarpon(folder.resolve("home"));
                var up = tarpon.run("up");
                if (up.exit() != 0) {
                    // What has started would stay.
                    tarpon.run("down");
                }
                up.succeeded();
                return new Cluster(folder, tarpon);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            tarpon.close();
            try (var paths = Files.walk(folder)) {
                for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == Tarpon.class;
    }

    @Override
    public Tarpon resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return test.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(Cluster.class, _ -> Cluster.start(), Cluster.class)
                .tarpon();
    }
}
