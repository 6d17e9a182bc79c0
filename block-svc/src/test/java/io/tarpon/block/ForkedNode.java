package io.tarpon.block;

import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.storekit.FailingStore;
import io.tarpon.storekit.FailingStore.StreamFault;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.FullDisk;
import io.tarpon.testkit.Jvm;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/// A node in a process of its own, for what only a process can suffer, over the store that the test filled:
/// `FOLDER MODE [setting=value]…`. What it does is said at each [Mode]; what happened, by lines on its output.
final class ForkedNode {
    static final long HANG_AT = 3 << 20;

    /// What the process does.
    enum Mode {
        /// Fills block 0 and stops for good at 3 MiB.
        HANG,
        /// After a line from the test fills the first block and the last.
        PASS,
        /// Lives through a disk that has no room, and no room for another file, in the middle of its work.
        FULL,
        /// Drops and fills all blocks, on and on.
        LOOP,
        /// Serves, with the test's own metadata-svc, until a line comes.
        SERVE
    }

    private ForkedNode() {}

    public static void main(String[] args) throws Exception {
        var folder = Path.of(args[0]);
        var settings = new HashMap<String, String>();
        for (var setting : List.of(args).subList(2, args.length)) {
            settings.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        var shard = LargeShard.make();
        try (var store = new FailingStore(DirectoryStore.open(folder.resolve("store")));
                var own = new MetadataServer().with(shard);
                var node = new TestNode(
                        folder.resolve("node-1"),
                        store,
                        URI.create(
                                settings.getOrDefault("metadata.url", own.url().toString())),
                        settings)) {
            switch (Mode.valueOf(args[1])) {
                case HANG -> hang(store, node, shard);
                case PASS -> pass(node, shard);
                case FULL -> full(store, node, shard);
                case LOOP -> loop(node, shard);
                case SERVE -> {
                    say("port " + node.port());
                    System.in.read();
                }
            }
        }
        System.exit(0);
    }

    private static void hang(FailingStore store, TestNode node, TestShard shard) throws Exception {
        store.order(StreamFault.WAIT, HANG_AT, 1);
        var reader = CompletableFuture.supplyAsync(() -> status(node, shard, 0));
        Deadline.until("a file half written", () -> !node.names("tmp").isEmpty());
        say("half written");
        say("read " + reader.get());
    }

    private static void pass(TestNode node, TestShard shard) throws Exception {
        say("ready");
        System.in.read();
        say("first " + status(node, shard, 0));
        say("files " + node.names("tmp").size());
        say("last " + status(node, shard, shard.index().blockCount() - 1));
    }

    private static void full(FailingStore store, TestNode node, TestShard shard) throws Exception {
        var last = shard.index().blockCount() - 1;
        var ballast = node.folder.resolve("ballast");
        say("stored " + status(node, shard, last));
        store.order(StreamFault.WAIT, HANG_AT, 1);
        var reader = CompletableFuture.supplyAsync(() -> status(node, shard, 0));
        Deadline.until("a file half written", () -> !node.names("tmp").isEmpty());
        FullDisk.fill(ballast);
        say("disk full " + Files.getFileStore(ballast).getUsableSpace());
        store.openGate();
        say("mid-write " + reader.get());
        say("left behind " + node.names("tmp").size());
        say("early " + status(node, shard, 0));
        say("hit " + status(node, shard, last));
        var dropped = node.wiring.drops().drop(List.of(shard.id(last)), false);
        say("dropped " + dropped.toCompletableFuture().get().blocks());
        Files.delete(ballast);
        say("room again " + status(node, shard, 0));
        var files = exhaustInodes(node.folder.resolve("many"));
        say("open " + status(node, shard, 1));
        say("hit " + status(node, shard, 0));
        for (var file : files) {
            Files.delete(file);
        }
        say("files again " + status(node, shard, 1));
    }

    private static List<Path> exhaustInodes(Path folder) throws IOException {
        var files = new ArrayList<Path>();
        Files.createDirectory(folder);
        try {
            while (true) {
                files.add(Files.createFile(folder.resolve("file" + files.size())));
            }
        } catch (IOException full) {
            say("no inode left");
        }
        return files;
    }

    private static void loop(TestNode node, TestShard shard) throws Exception {
        var ids = IntStream.range(0, shard.index().blockCount())
                .mapToObj(shard::id)
                .toList();
        say("filling");
        while (true) {
            node.wiring.drops().drop(ids, false).toCompletableFuture().get();
            for (var block = 0; block < ids.size(); block++) {
                status(node, shard, block);
            }
        }
    }

    /// @param settings keys below `tarpon.`, each with `=` and its value
    static Process start(Path folder, String mode, String... settings) throws IOException {
        return start(folder, command(folder, mode, settings));
    }

    static List<String> command(Path folder, String mode, String... settings) {
        var arguments = new ArrayList<>(List.of(folder.toString(), mode));
        arguments.addAll(List.of(settings));
        return Jvm.command(
                ForkedNode.class,
                List.of("-Xmx128m", "--enable-native-access=ALL-UNNAMED"),
                arguments.toArray(String[]::new));
    }

    /// @param command that command, perhaps behind one that makes a namespace for it
    static Process start(Path folder, List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectError(folder.resolve("stderr").toFile())
                .start();
    }

    private static String status(TestNode node, TestShard shard, int block) {
        try {
            var answer = node.get(shard.url(block));
            return answer.statusCode() < 300 ? "200" : TestNode.problem(answer);
        } catch (Exception e) {
            return "broken";
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /// Two blocks of 8 MiB and a small one.
    static final class LargeShard {
        private LargeShard() {}

        static TestShard make() {
            return TestShard.random("large/v1/train/shard-000000", 5, 5, 4_000_000, 8 << 20);
        }
    }
}
