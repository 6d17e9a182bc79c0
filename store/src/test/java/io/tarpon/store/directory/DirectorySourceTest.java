package io.tarpon.store.directory;

import io.tarpon.store.ObjectSource;
import io.tarpon.store.ObjectSourceContract;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DirectorySourceTest extends ObjectSourceContract {
    @TempDir
    Path root;

    @Override
    protected ObjectSource source() {
        return new DirectorySource(root);
    }

    @Override
    protected ObjectSource missingSource() {
        return new DirectorySource(root.resolve("not-there"));
    }

    @Override
    protected String missingName() {
        return root.resolve("not-there") + ": there is no such folder";
    }

    @Override
    protected void put(String key, byte[] bytes) throws Exception {
        Path file = root.resolve(key);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    @Override
    protected void remove(String key) throws Exception {
        Files.delete(root.resolve(key));
    }
}
