package io.tarpon.metadata.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFolderTest {
    @TempDir
    Path temp;

    @Test
    void aNewFolderIsOursAlone() throws IOException {
        try (var folder = StateFolder.open(temp.resolve("new/metadata"))) {
            assertThat(folder.log()).hasParentRaw(temp.resolve("new/metadata"));
        }
        assertThat(Files.readString(temp.resolve("new/metadata/FORMAT"))).isEqualTo("TARPON-METADATA 1\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temp.resolve("new/metadata"))))
                .isEqualTo("rwx------");
    }

    @Test
    void aFolderOpensAgain() throws IOException {
        StateFolder.open(temp).close();
        StateFolder.open(temp).close();
        assertThat(temp.resolve("FORMAT")).exists();
    }

    @Test
    void anotherFormatStopsTheStartAndChangesNothing() throws IOException {
        Files.writeString(temp.resolve("FORMAT"), "TARPON-METADATA 2\n");
        assertThatThrownBy(() -> StateFolder.open(temp))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContaining(temp.resolve("FORMAT").toString())
                .hasMessageContaining("format 2")
                .hasMessageContaining("format 1");
        try (var files = Files.list(temp)) {
            assertThat(files).containsExactly(temp.resolve("FORMAT"));
        }
    }

    @Test
    void aDamagedFormatFileStopsTheStart() throws IOException {
        Files.writeString(temp.resolve("FORMAT"), "TARPON-");
        assertThatThrownBy(() -> StateFolder.open(temp)).isInstanceOf(CorruptFormatException.class);
    }

    @Test
    void aStrangersFolderIsLeftAlone() throws IOException {
        Files.writeString(temp.resolve("thesis.txt"), "precious");
        assertThatThrownBy(() -> StateFolder.open(temp)).hasMessageContaining("thesis.txt");
        assertThat(temp.resolve("LOCK")).doesNotExist();
    }

    @Test
    void aFolderHasOneOwner() throws IOException {
        try (var folder = StateFolder.open(temp)) {
            assertThatThrownBy(() -> StateFolder.open(temp)).hasMessageContaining("in use");
            assertThat(folder.log()).isEmptyDirectory();
        }
    }

    @Test
    void aFolderWhoseMakerDiedBeforeItsFormatWasThereIsMadeAgain() throws IOException {
        Files.createFile(temp.resolve("LOCK"));
        Files.createFile(temp.resolve("FORMAT.tmp"));
        StateFolder.open(temp).close();
        assertThat(temp.resolve("FORMAT")).exists();
    }
}
