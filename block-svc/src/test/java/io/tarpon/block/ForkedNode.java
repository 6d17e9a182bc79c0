package io.tarpon.block;

import io.tarpon.block.FaultyStore.Fault;
import io.tarpon.store.directory.DirectoryStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// A node in a process of its own, for what only a process can suffer: `FOLDER HANG|PASS` fills block 0 of the shard
/// that
/// the test put into the store, stopping for good at 3 MiB or after a line from the test, and says how that went.
final class ForkedNode {
    static final long HANG_AT = 3 << 20;

    private ForkedNode() {}

    public static void main(String[] args) throws Exception {
        var folder = Path.of(args[0]);
        var shard = LargeShard.make();
        try (var store = new FaultyStore(DirectoryStore.open(folder.resolve("store")));
                var metadata = new MetadataServer().with(shard);
                var node = new TestNode(folder.resolve("node-1"), store, metadata, Map.of())) {
            if (args[1].equals("HANG")) {
                store.order(Fault.WAIT, HANG_AT, 1);
                var reader = CompletableFuture.supplyAsync(() -> status(node, shard, 0));
                Deadline.until("a file half written", () -> !node.names("tmp").isEmpty());
                say("half written");
                say("read " + reader.get());
            } else {
                say("ready");
                System.in.read();
                say("first " + status(node, shard, 0));
                say("files " + node.names("tmp").size());
                say("last " + status(node, shard, shard.index().blockCount() - 1));
            }
        }
        System.exit(0);
    }

    static Process start(Path folder, String mode) throws Exception {
        var command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ForkedNode.class.getName(),
                folder.toString(),
                mode);
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
