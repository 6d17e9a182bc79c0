package io.tarpon.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.store.directory.DirectorySource;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.testkit.Jvm;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.gateway.ReportLine;
import io.tarpon.wire.metadata.DatasetSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
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
        write("open/a.jpg", "1");
        var closed = Files.createDirectory(source.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        try {
            var process = new ProcessBuilder(ofOneWhoMayNotReadAll())
                    .redirectError(folder.resolve("stderr").toFile())
                    .start();
            var said = process.inputReader(UTF_8).lines().toList();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(said)
                    .as(Files.readString(folder.resolve("stderr")))
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .startsWith(SourceUnreadableException.class.getName())
                    .contains(closed.toString());
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
    }

    /// Root reads every folder, but not in a user namespace that gives it no rights over the system's.
    private List<String> ofOneWhoMayNotReadAll() {
        var command = new ArrayList<String>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(Jvm.command(FolderPlanTest.class, List.of("-Xmx64m"), folder.toString()));
        return command;
    }

    /// The process: plans the source of that folder, and says why it cannot.
    public static void main(String[] args) {
        var test = new FolderPlanTest();
        test.folder = Path.of(args[0]);
        test.source = test.folder.resolve("source");
        try (var store = DirectoryStore.open(test.folder.resolve("store"))) {
            test.store = store;
            System.out.println(test.freeze());
        } catch (Exception e) {
            System.out.println(e.toString().lines().findFirst().orElseThrow());
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
