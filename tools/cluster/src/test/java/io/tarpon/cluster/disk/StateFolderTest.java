package io.tarpon.cluster.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.ClusterShape;
import io.tarpon.cluster.plan.Layout;
import io.tarpon.cluster.plan.LogPlace;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.plan.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFolderTest {
    @TempDir
    Path scratch = Path.of("");

    private ClusterPaths paths = new ClusterPaths(scratch, scratch);

    @BeforeEach
    void choosePaths() {
        paths = new ClusterPaths(scratch.resolve("home/state"), scratch);
    }

    private static String rights(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static Map<String, String> contents(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            var contents = new java.util.TreeMap<String, String>();
            for (var file : files.toList()) {
                contents.put(file.getFileName().toString(), Files.readString(file));
            }
            return contents;
        }
    }

    @Test
    void aNewFolderIsItsOwnersAndSaysItsFormat() throws IOException {
        StateFolder.open(paths);
        assertThat(rights(paths.state())).isEqualTo("rwx------");
        assertThat(contents(paths.state())).containsExactly(Map.entry("format", "TARPON-STATE 1\n"));
        StateFolder.open(paths);
    }

    @Test
    void anEmptyFolderThatOthersMayReadIsClosedToThem() throws IOException {
        Files.createDirectories(paths.state());
        Files.setPosixFilePermissions(paths.state(), PosixFilePermissions.fromString("rwxr-xr-x"));
        StateFolder.open(paths);
        assertThat(rights(paths.state())).isEqualTo("rwx------");
    }

    @Test
    void anotherFormatIsRefusedWithTheFileAndBothFormatsNamedAndNothingChanges() throws IOException {
        Files.createDirectories(paths.state());
        Files.writeString(paths.state().resolve("format"), "TARPON-STATE 2\n");
        Files.writeString(paths.state().resolve("cluster.json"), "{}");
        var before = contents(paths.state());
        var failure = catchThrowableOfType(CommandFailure.class, () -> StateFolder.open(paths));
        assertThat(failure)
                .hasMessageContaining(paths.state().resolve("format").toString())
                .hasMessageContaining("TARPON-STATE 2")
                .hasMessageContaining("TARPON-STATE 1");
        assertThat(failure.next()).contains("TARPON_HOME");
        assertThat(contents(paths.state())).isEqualTo(before);
    }

    @Test
    void aFolderOfSomethingElseIsRefusedAndLeftAlone() throws IOException {
        Files.createDirectories(paths.state());
        Files.writeString(paths.state().resolve("thesis.tex"), "text");
        var failure = catchThrowableOfType(CommandFailure.class, () -> StateFolder.open(paths));
        assertThat(failure).hasMessageContaining("not a state folder of Tarpon");
        assertThat(contents(paths.state())).containsExactly(Map.entry("thesis.tex", "text"));
    }

    @Test
    void aFileWhereTheFolderShouldBeIsSaid() throws IOException {
        Files.createDirectories(paths.state().getParent());
        Files.writeString(paths.state(), "");
        assertThatThrownBy(() -> StateFolder.open(paths))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(paths.state().toString());
    }

    @Test
    void whatACrashLeftOfTheFormatDoesNotMakeTheFolderSomebodyElses() throws IOException {
        Files.createDirectories(paths.state());
        Files.writeString(paths.state().resolve("format.123.tmp"), "TARP");
        StateFolder.open(paths);
        assertThat(paths.state().resolve("format")).hasContent("TARPON-STATE 1");
    }

    @Test
    void manyCommandsMayMakeTheFolderAtOnce() throws Exception {
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (int round = 0; round < 20; round++) {
                var fresh = new ClusterPaths(scratch.resolve("many/" + round), scratch);
                Callable<StateFolder> open = () -> StateFolder.open(fresh);
                for (var opened : threads.invokeAll(java.util.Collections.nCopies(8, open))) {
                    assertThat(opened.get().paths()).isEqualTo(fresh);
                }
            }
        }
    }

    @Test
    void theTokenIsMadeOnceForItsOwnerOnly() throws IOException {
        var state = StateFolder.open(paths);
        state.makeToken();
        var first = Files.readString(paths.token());
        state.makeToken();
        assertThat(Files.readString(paths.token())).isEqualTo(first).matches("[0-9a-f]{64}\n");
        assertThat(rights(paths.token())).isEqualTo("rw-------");
        assertThat(state.token().headerValue()).isEqualTo("Bearer " + first.strip());
    }

    @Test
    void theTokenIsNeverThereEmptyOrReadableByOthers() throws Exception {
        var state = StateFolder.open(paths);
        var done = new java.util.concurrent.atomic.AtomicBoolean();
        try (var threads = Executors.newSingleThreadExecutor()) {
            var seen = threads.submit(() -> {
                var found = new TreeSet<String>();
                while (!done.get()) {
                    try {
                        found.add(Files.readString(paths.token()).length() + " " + rights(paths.token()));
                    } catch (java.nio.file.NoSuchFileException e) {
                        Thread.onSpinWait();
                    }
                }
                return found;
            });
            for (int round = 0; round < 50; round++) {
                state.makeToken();
                Files.delete(paths.token());
            }
            state.makeToken();
            done.set(true);
            assertThat(seen.get()).isSubsetOf("65 rw-------");
        }
    }

    @Test
    void aTokenThatCannotBeOneIsSaidWithItsFile() throws IOException {
        var state = StateFolder.open(paths);
        Files.writeString(paths.token(), "");
        assertThatThrownBy(state::token)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(paths.token().toString());
    }

    @Test
    void aRosterIsThereWholeOrNotAtAll() throws IOException {
        var state = StateFolder.open(paths);
        assertThat(state.roster()).isEmpty();
        var roster = new Roster(List.of(Member.of("kafka", "127.0.0.1:1", List.of("sleep", "1"), Map.of("A", "b"))));
        state.write(roster);
        assertThat(state.roster()).contains(roster);
        assertThat(rights(paths.roster())).isEqualTo("rw-------");
        assertThat(contents(paths.state()).keySet()).containsExactly("cluster.json", "format");
        state.forgetRoster();
        state.forgetRoster();
        assertThat(state.roster()).isEmpty();
    }

    @Test
    void aDamagedRosterIsSaidWithItsFile() throws IOException {
        var state = StateFolder.open(paths);
        Files.writeString(paths.roster(), "{\"members\":[{");
        assertThatThrownBy(state::roster)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(paths.roster().toString());
    }

    @Test
    void aFolderIsAllowedOnceAndALineWithoutItsEndIsNoFolder() throws IOException {
        var state = StateFolder.open(paths);
        Files.writeString(paths.directoryRoots(), "/kept\n/cut-sho");
        state.allowSource(Path.of("/data/a b"));
        state.allowSource(Path.of("/data/a b"));
        assertThat(paths.directoryRoots()).hasContent("/kept\n/data/a b\n");
    }

    @Test
    void aFolderThatIsForbiddenAgainLeavesTheOthers() throws IOException {
        var state = StateFolder.open(paths);
        state.forbidSource(Path.of("/data/a"));
        assertThat(paths.directoryRoots()).doesNotExist();
        state.allowSource(Path.of("/data/a"));
        state.allowSource(Path.of("/data/a b"));
        state.forbidSource(Path.of("/data/a"));
        assertThat(Files.readString(paths.directoryRoots())).isEqualTo("/data/a b\n");
        state.forbidSource(Path.of("/data/a b"));
        assertThat(Files.readString(paths.directoryRoots())).isEmpty();
    }

    @Test
    void aFolderWithANewlineInItsNameCannotSmuggleInAnother() throws IOException {
        var state = StateFolder.open(paths);
        assertThatThrownBy(() -> state.allowSource(Path.of("/data/x\n/etc")))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("control character");
        assertThat(paths.directoryRoots()).doesNotExist();
    }

    @Test
    void noLineIsLostWhenManyAreAddedAtOnce() throws IOException, InterruptedException, ExecutionException {
        var state = StateFolder.open(paths);
        try (var threads = Executors.newFixedThreadPool(8)) {
            var adding = java.util.stream.IntStream.range(0, 40)
                    .mapToObj(number -> threads.submit(() -> state.allowSource(Path.of("/data/" + number))))
                    .toList();
            for (var added : adding) {
                added.get();
            }
        }
        assertThat(Files.readAllLines(paths.directoryRoots())).hasSize(40).doesNotHaveDuplicates();
    }

    @Test
    void theLockKeepsASecondCommandWaiting() {
        var state = StateFolder.open(paths);
        var file = paths.state().resolve("lock");
        try (var held = state.lock()) {
            assertThatThrownBy(() -> StateLock.acquire(file, java.time.Duration.ofMillis(100)))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("another tarpon command");
        }
        StateLock.acquire(file, java.time.Duration.ZERO).close();
    }

    @Test
    void whatAProcessPrintedBeforeIsKeptOnce() throws IOException {
        var state = StateFolder.open(paths);
        state.createFolders(List.of(paths.state().resolve("logs")));
        Files.writeString(paths.output("kafka"), "last words");
        assertThat(state.freshOutput("kafka")).doesNotExist();
        assertThat(paths.state().resolve("logs/kafka.out.1")).hasContent("last words");
    }

    @Test
    void whereObjectsAreKeptIsChosenOnce() {
        var state = StateFolder.open(paths);
        assertThat(state.storeKind()).isEqualTo(StoreKind.DIRECTORY);
        state.choose(ClusterShape.USUAL.withStore(StoreKind.S3));
        assertThat(StateFolder.open(paths).storeKind()).isEqualTo(StoreKind.S3);
        state.choose(ClusterShape.USUAL.withStore(StoreKind.S3));
        var failure = catchThrowableOfType(CommandFailure.class, () -> state.choose(ClusterShape.USUAL));
        assertThat(failure).hasMessageContaining("--store s3").hasMessageContaining("--store directory");
        assertThat(failure.next()).contains("TARPON_HOME");
        assertThat(state.storeKind()).isEqualTo(StoreKind.S3);
    }

    @Test
    void whereTheMetadataLogIsKeptIsChosenOnceAndTheNumberOfReplicasMayChange() {
        var state = StateFolder.open(paths);
        assertThat(state.metadataReplicas()).isEqualTo(1);
        state.choose(ClusterShape.USUAL.withMetadataReplicas(3));
        state.choose(ClusterShape.USUAL.withMetadataReplicas(2));
        assertThat(StateFolder.open(paths).metadataReplicas()).isEqualTo(2);
        var failure = catchThrowableOfType(CommandFailure.class, () -> state.choose(ClusterShape.USUAL));
        assertThat(failure).hasMessage("this cluster keeps its metadata log in Kafka, not on the disk of one process");
        assertThat(failure.next()).endsWith("./tarpon metadata move local");
        assertThat(state.metadataReplicas()).isEqualTo(2);
    }

    @Test
    void onHowManyMachinesTheClusterIsStaysUntilItIsChosenAnew() {
        var state = StateFolder.open(paths);
        assertThat(state.shape().layout()).isEqualTo(Layout.USUAL);
        state.choose(ClusterShape.USUAL.withLayout(new Layout(5, 2, true)));
        assertThat(StateFolder.open(paths).shape().layout()).isEqualTo(new Layout(5, 2, true));
        state.choose(state.shape().withLayout(state.shape().layout().withNetns(false)));
        assertThat(StateFolder.open(paths).shape().layout()).isEqualTo(new Layout(5, 2, false));
    }

    @Test
    void aLogInKafkaMayHaveOneReplica() {
        var state = StateFolder.open(paths);
        state.choose(ClusterShape.USUAL.withMetadataReplicas(3));
        state.choose(state.shape().withMetadataReplicas(1));
        assertThat(state.shape())
                .isEqualTo(ClusterShape.USUAL.withMetadataReplicas(3).withMetadataReplicas(1));
        assertThat(state.shape().log()).isEqualTo(LogPlace.KAFKA);
    }

    @Test
    void aMovedLogIsLookedForWhereItIs() throws IOException {
        var state = StateFolder.open(paths);
        state.choose(ClusterShape.USUAL);
        state.remember(state.shape().withLog(LogPlace.KAFKA).withMetadataReplicas(3));
        assertThat(StateFolder.open(paths).shape()).isEqualTo(ClusterShape.USUAL.withMetadataReplicas(3));
        state.remember(state.shape().withLog(LogPlace.LOCAL));
        assertThat(StateFolder.open(paths).shape()).isEqualTo(ClusterShape.USUAL);
        Files.writeString(paths.metadataLog(), "etcd\n");
        assertThat(catchThrowableOfType(CommandFailure.class, state::shape))
                .hasMessageContaining("'etcd', which is no place for a log");
    }

    @Test
    void aClusterFromBeforeLogsMovedKeepsItWhereTheNumberOfReplicasSays() throws IOException {
        var state = StateFolder.open(paths);
        Files.writeString(paths.metadataReplicas(), "3\n");
        assertThat(state.shape()).isEqualTo(ClusterShape.USUAL.withMetadataReplicas(3));
        Files.writeString(paths.metadataReplicas(), "1\n");
        assertThat(state.shape()).isEqualTo(ClusterShape.USUAL);
    }

    @Test
    void aClusterWithALogOfItsOwnGetsNoOther() throws IOException {
        var state = StateFolder.open(paths);
        Files.createDirectories(paths.data("metadata"));
        assertThat(catchThrowableOfType(
                        CommandFailure.class, () -> state.choose(ClusterShape.USUAL.withMetadataReplicas(3))))
                .hasMessageContaining("on the disk of one process")
                .extracting(CommandFailure::next)
                .isEqualTo("carry it there first: ./tarpon metadata move kafka --replicas 3");
        assertThat(state.shape()).isEqualTo(ClusterShape.USUAL);
    }

    @Test
    void anUnknownNumberOfReplicasIsRefused() throws IOException {
        var state = StateFolder.open(paths);
        Files.writeString(paths.metadataReplicas(), "6\n");
        assertThat(catchThrowableOfType(CommandFailure.class, state::metadataReplicas))
                .hasMessageContaining("'6', which is no number of replicas");
    }

    @Test
    void aClusterFromBeforeThereWasAChoiceKeepsItsFolder() throws IOException {
        var state = StateFolder.open(paths);
        Files.createDirectories(paths.data("metadata"));
        assertThat(catchThrowableOfType(
                        CommandFailure.class, () -> state.choose(ClusterShape.USUAL.withStore(StoreKind.S3))))
                .hasMessageContaining("--store directory");
        state.choose(ClusterShape.USUAL);
    }

    @Test
    void anUnknownKindOfStoreIsRefused() throws IOException {
        var state = StateFolder.open(paths);
        Files.writeString(paths.storeKind(), "tape\n");
        assertThat(catchThrowableOfType(CommandFailure.class, state::storeKind)).hasMessageContaining("tape");
    }

    @Test
    void theLoginIsRandomPrivateAndStays() throws IOException {
        var state = StateFolder.open(paths);
        var keys = state.makeS3Keys();
        assertThat(rights(paths.s3Keys())).isEqualTo("rw-------");
        assertThat(StateFolder.open(paths).makeS3Keys()).isEqualTo(keys);
        var other = StateFolder.open(new ClusterPaths(scratch.resolve("other"), scratch))
                .makeS3Keys();
        assertThat(other.secretKey()).isNotEqualTo(keys.secretKey());
        assertThat(other.accessKey()).isNotEqualTo(keys.accessKey());
    }

    @Test
    void aDamagedLoginIsRefusedAndNotShown() throws IOException {
        var state = StateFolder.open(paths);
        Files.writeString(paths.s3Keys(), "AWS_SECRET_ACCESS_KEY=abc\n");
        var failure = catchThrowableOfType(CommandFailure.class, state::s3Keys);
        assertThat(failure).hasMessageContaining("s3-credentials");
        assertThat(failure.getMessage()).doesNotContain("abc");
    }
}
