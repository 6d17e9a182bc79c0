package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a running cluster has to do. Each answer is asked of the service that knows it; one that is away leaves a gap.
final class Work {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int LETTERS = 100;
    private static final int PAGE = 1000;

    /// A sample of the Kafka client's gauge of how many records a partition holds that were not yet read.
    private static final Pattern LAG =
            Pattern.compile("kafka_consumer_fetch_manager_records_lag\\{([^}]*)}\\s+(\\S+)(?:\\s.*)?");

    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");

    private Work() {}

    /// Those that have stood still the longest come first.
    static Optional<List<StatusDocument.InWork>> versions(List<URI> service) {
        try (var metadata = MetadataClient.readOnly(service)) {
            // By name: what is planned between two questions is in both lists.
            var versions = new TreeMap<String, StatusDocument.InWork>();
            for (var state : List.of(VersionState.PLANNING, VersionState.BUILDING)) {
                var after = Optional.<String>empty();
                do {
                    var page = metadata.versionsInWork(state, after, PAGE);
                    for (var progress : page.versions()) {
                        var version = metadata.version(progress.dataset(), progress.version());
                        if (!version.state().isEnd()) {
                            versions.put(
                                    version.dataset() + "@" + version.version(),
                                    StatusDocument.InWork.of(
                                            version, Duration.between(progress.progressAt(), page.at())));
                        }
                    }
                    after = Optional.ofNullable(page.next());
                } while (after.isPresent());
            }
            return Optional.of(versions.values().stream()
                    .sorted(Comparator.comparingLong(StatusDocument.InWork::stillSeconds)
                            .reversed())
                    .toList());
        } catch (IOException | TarponException e) {
            return Optional.empty();
        }
    }

    static List<StatusDocument.Lag> lag(Context context, Roster roster) {
        return Stream.of(ClusterPlan.INGEST, ClusterPlan.SHARD)
                .flatMap(group -> context
                        .http()
                        .text(roster.member(group).url() + "/q/metrics", PATIENCE)
                        .map(Work::lagByTopic)
                        .orElse(Map.of())
                        .entrySet()
                        .stream()
                        .map(topic -> new StatusDocument.Lag(topic.getKey(), group, topic.getValue())))
                .toList();
    }

    /// Over all partitions. One that was not read yet says NaN, which counts as nothing. A client may tell of a
    /// partition twice, by the topic's name and by the name with `_` in place of `.`, which is the same.
    static Map<String, Long> lagByTopic(String metrics) {
        var partitions = new TreeMap<String, Map<String, Long>>();
        metrics.lines().forEach(line -> {
            var sample = LAG.matcher(line);
            if (sample.matches()) {
                var labels = LABEL.matcher(sample.group(1))
                        .results()
                        .collect(Collectors.toMap(
                                label -> label.group(1), label -> label.group(2), (one, other) -> one));
                var topic = labels.getOrDefault("topic", "").replace('_', '.');
                partitions
                        .computeIfAbsent(topic, unseen -> new TreeMap<>())
                        .merge(
                                labels.getOrDefault("partition", ""),
                                (long) Double.parseDouble(sample.group(2)),
                                Math::max);
            }
        });
        var sums = new TreeMap<String, Long>();
        partitions.forEach((topic, lags) -> sums.put(
                topic, lags.values().stream().mapToLong(Long::longValue).sum()));
        return sums;
    }

    static Optional<StatusDocument.Letters> letters(Context context, Roster roster) {
        try {
            var list = context.deadLetters(roster).list(LETTERS);
            var waiting = list.letters().stream()
                    .filter(letter -> letter.retriedAt() == null)
                    .count();
            return Optional.of(new StatusDocument.Letters((int) waiting, list.more()));
        } catch (CommandFailure e) {
            return Optional.empty();
        }
    }
}
