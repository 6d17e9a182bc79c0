package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.store.directory.DirectorySource;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.gateway.ReportLine;
import io.tarpon.wire.metadata.DatasetSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real folders with what real folders have in them.
class FolderPlanTest {
    private static final DatasetName DEMO = new DatasetName("demo");
    private static final VersionId V1 = new VersionId(1);

    @TempDir
    Path folder;

    private Path source;
    private DirectoryStore store;

    @BeforeEach
    void open() throws Exception {
        source = Files.createDirectory(folder.resolve("source"));
        store = DirectoryStore.open(folder.resolve("store"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void whatIsNoRegularFileIsLeftOutAndEverythingElseIsPlannedAsItIs() throws Exception {
        write("a.cls", "1");
        write("a.d/x.txt", "between the files of a");
        write("a.jpg", "jpeg");
        write("empty.txt", "");
        write("mit leer.txt", "space");
        write("été.txt", "accents");
        write("new\nline.txt", "control");
        Files.createSymbolicLink(source.resolve("link.jpg"), source.resolve("a.jpg"));
        Files.createSymbolicLink(source.resolve("loop"), source);
        run("mkfifo", source.resolve("pipe.jpg").toString());
        run("bash", "-c", "printf x > \"$0\"/$'caf\\xe9.jpg'", source.toString());

        var plan = freeze();

        assertThat(plan.inputs().found()).isEqualTo(11);
        assertThat(plan.inputs().leftOut())
                .containsEntry("not-a-regular-file", 3L)
                .containsEntry("undecodable-name", 1L)
                .hasSize(2);
        var files = new PlanFiles(store, DEMO, V1);
        assertThat(files.report())
                .contains(
                        ReportLine.leftOut("link.jpg", "not-a-regular-file"),
                        ReportLine.leftOut("loop", "not-a-regular-file"),
                        ReportLine.leftOut("pipe.jpg", "not-a-regular-file"));
        assertThat(plan.inputs().renamed()).isEqualTo(3);
        try (var reader = new DirectorySource(source)) {
            for (var sample : files.samples(plan, "train")) {
                for (var member : sample.members()) {
                    try (var bytes = reader.open(member.sourceKey(), member.etag(), member.size())) {
                        assertThat(bytes.readAllBytes()).hasSize((int) member.size());
                    }
                }
            }
        }
    }

    @Test
    void aMissingFolderIsNamed() {
        source = source.resolve("gone");
        assertThatThrownBy(this::freeze)
                .isInstanceOf(SourceUnreadableException.class)
                .hasMessageContaining(source.toString());
    }

    @Test
    void aFolderThatMayNotBeReadIsNamed() throws Exception {
        assumeFalse("root".equals(System.getProperty("user.name")), "root reads every folder");
        write("open/a.jpg", "1");
        var closed = Files.createDirectory(source.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        try {
            assertThatThrownBy(this::freeze)
                    .isInstanceOf(SourceUnreadableException.class)
                    .hasMessageContaining(closed.toString());
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
    }

    private FrozenPlan freeze() throws Exception {
        var spool = new SpoolArea(folder.resolve("spool"), 64 << 20);
        try (var reader = new DirectorySource(source)) {
            return new PlanFreezing(store, spool, 3 << 20, 100, ShortPauses.forEver())
                    .freeze(reader, DEMO, V1, DatasetSpec.of("folder"));
        }
    }

    private void write(String key, String text) throws Exception {
        var path = source.resolve(key);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
