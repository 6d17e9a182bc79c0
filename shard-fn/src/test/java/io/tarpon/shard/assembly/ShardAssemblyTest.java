package io.tarpon.shard.assembly;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.service.retry.AbandonedException;
import io.tarpon.shard.Folders;
import io.tarpon.shard.MemoryUpload;
import io.tarpon.store.SourceChangedException;
import io.tarpon.store.directory.DirectorySource;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.index.BlockCutter;
import io.tarpon.wire.index.ShardIndex;
import io.tarpon.wire.index.ShardIndexBuilder;
import io.tarpon.wire.index.ShardIndexFormat;
import io.tarpon.wire.plan.PlanReader;
import io.tarpon.wire.plan.PlannedSample;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardAssemblyTest {
    /// The smallest: segments of 64 KiB, so that everything above is cut.
    private static final AssemblyLimits SMALL = new AssemblyLimits(2, 256 << 10, 1);

    @TempDir
    Path temp;

    private Path folder;
    private DirectorySource source;
    private DirectoryStore store;
    private ShardAssembly assembly;
    private final Random random = new Random(11);

    @BeforeEach
    void open() throws IOException {
        folder = Files.createDirectory(temp.resolve("in"));
        source = new DirectorySource(folder);
        store = DirectoryStore.open(temp.resolve("store"));
        assembly = new ShardAssembly(SMALL);
    }

    @AfterEach
    void close() {
        assembly.close();
        store.close();
    }

    @Test
    void theVectorOfTheFormatComesOut() throws IOException {
        file("000000.json", "{\"y\":1}".getBytes(UTF_8));
        file("000000.txt", "hello\n".getBytes(UTF_8));
        var upload = new MemoryUpload();
        var index = assemble(upload);
        assertThat(upload.bytes()).hasSize(3072);
        assertThat(Digests.sha256Hex(upload.bytes()))
                .isEqualTo(index.shardSha256())
                .isEqualTo("335f56ca28bb10d8b3db8493870b7aa87fca66ab5a030a3fe404af8ba1b38922");
    }

    @Test
    void gnuTarReadsBackEveryFile() throws Exception {
        someFiles();
        try (var upload = store.upload("x.tar")) {
            assembly.assemble(plan(), source, upload, () -> false);
            upload.complete();
        }
        var out = Files.createDirectory(temp.resolve("out"));
        try (var tar = store.open("x.tar", 0, store.size("x.tar").orElseThrow())) {
            Files.copy(tar, temp.resolve("x.tar"));
        }
        assertThat(run("tar", "-xf", temp.resolve("x.tar").toString(), "-C", out.toString()))
                .isEmpty();
        assertThat(run("diff", "-r", folder.toString(), out.toString())).isEmpty();
        assertThat(run("tar", "-tf", temp.resolve("x.tar").toString()).lines().filter(name -> !name.endsWith("/")))
                .hasSize(402);
    }

    @Test
    void theIndexIsThatOfTheFinishedTar() throws IOException {
        someFiles();
        var upload = new MemoryUpload();
        var index = assemble(upload);
        var again = new ShardIndexBuilder();
        for (var sample : Folders.samples(source)) {
            again.sample(sample);
        }
        again.bytes(upload.bytes(), 0, upload.bytes().length);
        var expected = again.finish(Digests.sha256().digest(upload.bytes()));
        assertThat(ShardIndexFormat.encode(index)).isEqualTo(ShardIndexFormat.encode(expected));
    }

    @Test
    void limitsDoNotShowInTheBytes() throws IOException {
        someFiles();
        var small = new MemoryUpload();
        assemble(small);
        try (var wide = new ShardAssembly(new AssemblyLimits(16, 64 << 20, 1))) {
            var large = new MemoryUpload();
            wide.assemble(plan(), source, large, () -> false);
            assertThat(Arrays.equals(small.bytes(), large.bytes())).isTrue();
        }
    }

    @Test
    void membersOfEveryLengthAroundASegmentFit() throws IOException {
        int segment = SMALL.segmentBytes();
        for (int size : List.of(
                0,
                1,
                511,
                512,
                513,
                segment - 1025,
                segment - 1024,
                segment - 512,
                segment - 511,
                segment,
                segment + 1,
                2 * segment - 512,
                2 * segment,
                3 * segment + 7)) {
            file("m" + size + ".bin", bytes(size));
        }
        var upload = new MemoryUpload();
        var index = assemble(upload);
        var samples = Folders.samples(source);
        for (int i = 0; i < samples.size(); i++) {
            var member = index.members(i).getFirst();
            var data = Arrays.copyOfRange(
                    upload.bytes(), (int) member.dataOffset(), (int) (member.dataOffset() + member.size()));
            assertThat(data).isEqualTo(Files.readAllBytes(folder.resolve(member.name())));
        }
    }

    @Test
    void aSampleBiggerThanABlockIsCutAndBeginsABlock() throws IOException {
        file("a.jpg", bytes(1000));
        file("b.jpg", bytes(2 * BlockCutter.TARGET_BYTES + 5));
        file("c.jpg", bytes(1000));
        var index = assemble(new MemoryUpload());
        assertThat(index.blockCount()).isEqualTo(4);
        assertThat(index.block(1).firstSample()).isEqualTo(1);
        assertThat(index.block(2).samples()).isZero();
    }

    @Test
    void anAssemblyThatEndsEarlyLeavesTheNextOneWhole() throws IOException {
        someFiles();
        assertThatThrownBy(() -> assembly.assemble(plan(), source, new MemoryUpload(), () -> true))
                .isInstanceOf(AbandonedException.class);
        var again = new MemoryUpload();
        var index = assemble(again);
        assertThat(Digests.sha256Hex(again.bytes())).isEqualTo(index.shardSha256());
    }

    @Test
    void aSmallFileWrittenAgainIsNamed() throws IOException {
        changed("k/small.txt", 2000, file -> Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH)));
    }

    @Test
    void aSmallFileThatShrankIsNamed() throws IOException {
        changed("k/small.txt", 2000, file -> Files.write(file, bytes(1999)));
    }

    @Test
    void aLargeFileThatGrewIsNamed() throws IOException {
        changed("k/large.bin", 900_000, file -> Files.write(file, bytes(900_001)));
    }

    @Test
    void aFileThatVanishedIsNamed() throws IOException {
        changed("k/gone.txt", 10, Files::delete);
    }

    @Test
    void anEmptyFileThatVanishedIsNamed() throws IOException {
        changed("k/gone.txt", 0, Files::delete);
    }

    @Test
    void aPlanCutInTheMiddleIsNotATar() throws IOException {
        someFiles();
        Folders.plan(store, Folders.ref(0), "in", Folders.samples(source));
        var plan = store.read(ObjectKeys.plan(Folders.ref(0)), 1 << 20);
        var cut = new PlanReader("cut.plan", new ByteArrayInputStream(plan, 0, plan.length * 2 / 3));
        assertThatThrownBy(() -> assembly.assemble(cut, source, new MemoryUpload(), () -> false))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining("cut.plan");
    }

    private interface Change {
        void to(Path file) throws IOException;
    }

    private void changed(String name, int size, Change change) throws IOException {
        someFiles();
        file(name, bytes(size));
        var plan = plan();
        change.to(folder.resolve(name));
        assertThatThrownBy(() -> assembly.assemble(plan, source, new MemoryUpload(), () -> false))
                .isInstanceOfSatisfying(
                        SourceChangedException.class, e -> assertThat(e.key()).isEqualTo(name));
    }

    private void someFiles() throws IOException {
        for (int i = 0; i < 200; i++) {
            file("k" + i % 3 + "/s%03d.jpg".formatted(i), bytes(random.nextInt(20_000)));
            file("k" + i % 3 + "/s%03d.cls".formatted(i), bytes(i % 5 == 0 ? 0 : 2));
        }
        file("large.bin", bytes(700_000));
        file("large.seg.png", bytes(64 << 10));
    }

    private void file(String name, byte[] bytes) throws IOException {
        var file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    private byte[] bytes(int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private ShardIndex assemble(MemoryUpload upload) throws IOException {
        return assembly.assemble(plan(), source, upload, () -> false);
    }

    private PlanReader plan() throws IOException {
        List<PlannedSample> samples = Folders.samples(source);
        Folders.plan(store, Folders.ref(0), "in", samples);
        var key = ObjectKeys.plan(Folders.ref(0));
        return new PlanReader(key, new ByteArrayInputStream(store.read(key, 1 << 24)));
    }

    private static String run(String... command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
