package io.tarpon.metadata.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tarpon.metadata.disk.StateFolder;
import io.tarpon.metadata.entry.MetadataLog;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Makes a state folder, appends entries to its log, some at a time, opens it once more and goes on. Each entry
/// that was acknowledged is said, in one call, before the next.
final class AppendingProcess {
    /// As few as make groups of several writes, and a log that RocksDB has turned over by opening it again.
    static final int ENTRIES = 60;

    private static final int SEED = 17;
    private static final int LARGE_BYTES = 200_000;
    private static final int CROWD = 4;

    private AppendingProcess() {}

    /// The entry of that number, which says the number.
    static byte[] entry(int number) {
        var random = new Random(SEED + number);
        var bytes = new byte[number % 7 == 3 ? LARGE_BYTES : 8 + random.nextInt(600)];
        random.nextBytes(bytes);
        bytes[0] = (byte) number;
        return bytes;
    }

    /// @param arguments the state folder, a file to say in what was acknowledged, and a folder for RocksDB's library
    public static void main(String[] arguments) throws Exception {
        var folder = Path.of(arguments[0]);
        var libraries = Path.of(arguments[2]);
        for (int half = 0; half < 2; half++) {
            try (var sayings = FileChannel.open(
                            Path.of(arguments[1]), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                    var state = StateFolder.open(folder);
                    var log = LocalLog.open(
                            state.log(), libraries, ENTRIES, MetadataLog.MAX_ENTRY_BYTES, Duration.ofMinutes(1))) {
                append(log, sayings, half * ENTRIES / 2, (half + 1) * ENTRIES / 2);
            }
        }
    }

    private static void append(LocalLog log, FileChannel sayings, int from, int to)
            throws ExecutionException, InterruptedException {
        try (var crowd = Executors.newFixedThreadPool(CROWD)) {
            for (int number = from; number < to; number += CROWD) {
                var appended = new ArrayList<Future<?>>();
                for (int one = number; one < Math.min(to, number + CROWD); one++) {
                    var entry = one;
                    appended.add(crowd.submit(() -> {
                        var position = log.append(entry(entry));
                        return sayings.write(US_ASCII.encode(position + " " + entry + "\n"));
                    }));
                }
                for (var each : appended) {
                    each.get();
                }
            }
        }
    }
}
