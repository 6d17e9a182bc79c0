package io.tarpon.metadata.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.Replayed;
import io.tarpon.wire.event.TarponEvent;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What holds for the life of every version, whatever happens.
final class VersionPromises {
    private final Map<String, VersionRecord> sealed = new HashMap<>();
    private final Map<String, String> requestOf = new HashMap<>();
    private final Map<String, VersionRecord> removed = new HashMap<>();
    private final Set<String> sameAsOneInWork = new HashSet<>();
    private final Map<String, Integer> highest = new HashMap<>();

    /// How often a version was removed for one that was not sealed yet.
    int sameAsOneInWork() {
        return sameAsOneInWork.size();
    }

    /// Each version as it was when it was sealed.
    Map<String, VersionRecord> sealed() {
        return sealed;
    }

    /// What began a version that was ever seen; null where none was.
    @Nullable
    String requestOf(String version) {
        return requestOf.get(version);
    }

    /// @param datasets of this image, whole
    void check(Image image, List<DatasetRecord> datasets) {
        datasets.forEach(dataset -> {
            for (int i = 0; i < dataset.versions().size(); i++) {
                var version = dataset.versions().get(i);
                assertThat(i == 0
                                || version.version()
                                                .compareTo(dataset.versions()
                                                        .get(i - 1)
                                                        .version())
                                        > 0)
                        .as("versions stand in order of their numbers")
                        .isTrue();
                check(version);
            }
            var latest = dataset.versions().stream()
                    .filter(version -> version.state() == VersionState.SEALED)
                    .reduce((_, last) -> last)
                    .map(VersionRecord::version)
                    .orElse(null);
            assertThat(dataset.latest()).isEqualTo(latest);
        });
        checkInWork(image, datasets, VersionState.PLANNING);
        checkInWork(image, datasets, VersionState.BUILDING);
    }

    /// Who watches versions in work misses none.
    private static void checkInWork(Image image, List<DatasetRecord> datasets, VersionState state) {
        var expected = datasets.stream()
                .flatMap(dataset -> dataset.versions().stream())
                .filter(version -> version.state() == state)
                .map(VersionPromises::name)
                .toList();
        assertThat(image.reads().inWork(state, null, Integer.MAX_VALUE))
                .extracting(progress -> progress.dataset() + "/" + progress.version())
                .isEqualTo(expected);
    }

    private void check(VersionRecord record) {
        var name = name(record);
        if (requestOf.putIfAbsent(name, record.requestId()) == null) {
            var number = record.version().number();
            assertThat(number)
                    .as("%s: numbers of forgotten versions are not given again", name)
                    .isGreaterThan(highest.getOrDefault(record.dataset().value(), 0));
            highest.put(record.dataset().value(), number);
        }
        assertThat(requestOf.get(name)).as("a number is given once").isEqualTo(record.requestId());
        var shards = record.splits().stream().mapToInt(SplitRecord::shards).sum();
        var built = record.splits().stream().mapToInt(SplitRecord::sealedShards).sum();
        if (record.state() == VersionState.SEALED) {
            assertThat(built).as(name).isEqualTo(shards).isPositive();
            assertThat(record.digest()).as(name).isNotNull();
            assertThat(sealed.computeIfAbsent(name, _ -> record)).as(name).isEqualTo(record);
        } else if (sealed.containsKey(name)) {
            assertThat(record.state()).as(name).isEqualTo(VersionState.REMOVED);
            assertThat(record.digest()).as(name).isEqualTo(sealed.get(name).digest());
            assertThat(record.splits()).as(name).isEqualTo(sealed.get(name).splits());
        } else {
            assertThat(record.state() == VersionState.BUILDING && built == shards)
                    .as(name)
                    .isFalse();
        }
        checkEnd(record);
        var parent = record.parent();
        if (parent != null) {
            assertThat(parent.number()).as(name).isLessThan(record.version().number());
            assertThat(sealed).as("only a sealed version is a parent").containsKey(record.dataset() + "/" + parent);
        }
    }

    private void checkEnd(VersionRecord record) {
        var name = name(record);
        assertThat(record.reason() != null)
                .as("%s has a reason", name)
                .isEqualTo(record.state() == VersionState.FAILED || record.state() == VersionState.REMOVED);
        assertThat(record.sameAs() == null || record.state() == VersionState.REMOVED)
                .as(name)
                .isTrue();
        if (record.state() == VersionState.REMOVED && removed.putIfAbsent(name, record) == null) {
            var same = record.sameAs();
            if (same != null && !sealed.containsKey(record.dataset() + "/" + same)) {
                sameAsOneInWork.add(name);
            }
        }
        assertThat(record.state() == VersionState.REMOVED)
                .as("%s was removed, for good", name)
                .isEqualTo(removed.containsKey(name));
    }

    static Map<String, VersionState> states(List<DatasetRecord> datasets) {
        var states = new TreeMap<String, VersionState>();
        datasets.forEach(dataset -> dataset.versions().forEach(version -> states.put(name(version), version.state())));
        return states;
    }

    /// Each change is told once, and nothing else is.
    static void checkEvents(
            Map<String, VersionState> before, Map<String, VersionState> after, Entry entry, Replayed replayed) {
        var expected = new ArrayList<String>();
        after.forEach((name, state) -> {
            for (var type : told(before.get(name), state)) {
                expected.add(type + " " + name);
            }
        });
        if (replayed.applied()) {
            entry.records().forEach(change -> {
                if (change instanceof Change.ShardSealed shard) {
                    expected.add(TarponEvent.ShardSealed.TYPE + " " + shard.ref());
                }
            });
        }
        assertThat(replayed.events())
                .extracting(event -> event.event().type() + " " + event.event().subject())
                .as("events of %s", entry.idempotenceKey())
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private static List<String> told(@Nullable VersionState before, VersionState after) {
        if (before == after) {
            return List.of();
        }
        return switch (after) {
            case PLANNING -> List.of();
            case BUILDING -> List.of(TarponEvent.VersionPlanned.TYPE);
            case SEALED ->
                before == VersionState.PLANNING
                        ? List.of(TarponEvent.VersionPlanned.TYPE, TarponEvent.VersionSealed.TYPE)
                        : List.of(TarponEvent.VersionSealed.TYPE);
            case FAILED -> List.of(TarponEvent.VersionFailed.TYPE);
            case REMOVED -> List.of(TarponEvent.VersionRemoved.TYPE);
        };
    }

    private static String name(VersionRecord record) {
        return record.dataset() + "/" + record.version();
    }
}
