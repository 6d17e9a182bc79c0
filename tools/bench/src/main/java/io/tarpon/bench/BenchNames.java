package io.tarpon.bench;

import io.tarpon.cluster.CommandFailure;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The benchmarks by name, in the order they are run. Rows of one are named after it.
public final class BenchNames {
    static final String HOT = "read/hot";
    static final String RANDOM = "read/random";
    static final String REMOTE = "read/remote";
    static final String SLOW = "read/slow";
    static final String COLD = "read/cold";
    static final String FILES = "ingest/files";
    static final String S3 = "ingest/s3";
    static final String LOOKUPS = "metadata/lookups";
    static final String COMMITS = "metadata/commits";
    static final String SHARED_COMMITS = "metadata/commits-kafka";
    static final String SIZES = "metadata/shards";

    static final String EPOCH_LARGE = "epoch/100k";
    static final String EPOCH_SMALL = "epoch/10k";
    static final String FIRST_BYTE = "epoch/first-byte";
    static final String RESUME = "epoch/resume";
    static final String EPOCH_COLD = "epoch/cold";
    static final String BATCH_ORDERED = "batch/ordered";
    static final String BATCH_LINK = "batch/link";

    /// They share a lab.
    static final Set<String> EPOCHS_AND_BATCHES =
            Set.of(EPOCH_LARGE, EPOCH_SMALL, FIRST_BYTE, RESUME, BATCH_ORDERED, BATCH_LINK);

    private static final List<String> ALL = List.of(
            HOT,
            RANDOM,
            REMOTE,
            SLOW,
            COLD,
            EPOCH_LARGE,
            EPOCH_SMALL,
            FIRST_BYTE,
            RESUME,
            BATCH_ORDERED,
            BATCH_LINK,
            EPOCH_COLD,
            FILES,
            S3,
            LOOKUPS,
            COMMITS,
            SHARED_COMMITS,
            SIZES);

    private BenchNames() {}

    /// The benchmarks that the words name: `read` all that begin with `read/`, `read/hot` one, no words all.
    ///
    /// @throws CommandFailure wrong use, for a word that names none
    public static Set<String> selected(List<String> words) {
        if (words.isEmpty()) {
            return new LinkedHashSet<>(ALL);
        }
        var chosen = new ArrayList<String>();
        for (var word : words) {
            var named = ALL.stream()
                    .filter(name -> name.equals(word) || name.startsWith(word + "/"))
                    .toList();
            if (named.isEmpty()) {
                throw CommandFailure.usage(
                        "no benchmark is named '" + word + "'",
                        "read, epoch, batch, ingest, metadata, or one of: " + String.join(", ", ALL));
            }
            chosen.addAll(named);
        }
        var inOrder = new LinkedHashSet<>(ALL);
        inOrder.retainAll(chosen);
        return inOrder;
    }
}
