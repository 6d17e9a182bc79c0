package io.tarpon.store.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.store.ObjectSource;
import io.tarpon.store.ObjectSourceContract;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectorySourceTest extends ObjectSourceContract {
    @TempDir
    Path root;

    @ParameterizedTest
    @ValueSource(strings = {"link", "folder", "folder//x", "/folder/x", "linked/x"})
    void whatAListingWouldNotGiveIsNotFound(String key) throws Exception {
        put("folder/x", new byte[1]);
        Files.createSymbolicLink(root.resolve("link"), root.resolve("folder/x"));
        Files.createSymbolicLink(root.resolve("linked"), root.resolve("folder"));
        assertThat(source().find(key)).isEmpty();
        assertThat(source().find("folder/x")).isPresent();
    }

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
