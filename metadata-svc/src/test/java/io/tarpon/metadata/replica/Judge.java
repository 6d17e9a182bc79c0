package io.tarpon.metadata.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.Image;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.event.TarponEvent;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Replays everything that is in a simulated log, and holds what it sees, and what proposers were answered,
/// against the promises.
final class Judge {
    private final Image image = new Image();
    private final List<String> digests = new ArrayList<>(List.of(image.digest()));
    private final List<CommittedEvent> events = new ArrayList<>();
    private final Set<String> singleEffects = new HashSet<>();
    private final Map<String, VersionRecord> sealed = new HashMap<>();
    private final Map<String, String> versionOfRequest = new HashMap<>();
    private final Map<ShardRef, SealShard> acknowledgedSeals = new HashMap<>();

    Image image() {
        return image;
    }

    List<CommittedEvent> events() {
        return events;
    }

    int sealedVersions() {
        return sealed.size();
    }

    /// Replays what is new, and checks every promise.
    void look(List<byte[]> entries) throws IOException {
        while (image.revision() < entries.size()) {
            var bytes = entries.get((int) image.revision());
            var entry = EntryFormat.decode("simulated " + (image.revision() + 1), bytes);
            assertThat(EntryFormat.encode(entry)).as("an entry has one form").isEqualTo(bytes);
            var replayed = image.replay(entry);
            if (replayed.applied()) {
                checkSingleEffect(entry);
            }
            events.addAll(replayed.events());
            digests.add(image.digest());
        }
        image.reads()
                .datasets()
                .datasets()
                .forEach(dataset -> dataset.versions().forEach(this::checkVersion));
        checkAnswers();
        checkEvents();
    }

    /// Whatever a replica shows, it shows what the log says at that revision.
    void checkReplica(Replica replica) {
        var seen = replica.read(Image::digest);
        assertThat(seen.value()).as("digest at %d", seen.revision()).isEqualTo(digests.get((int) seen.revision()));
    }

    /// Replicas that saw the same entries told the same events.
    void checkTail(List<CommittedEvent> told, long upTo) {
        assertThat(told)
                .isEqualTo(events.stream()
                        .filter(event -> event.revision() <= upTo)
                        .toList());
    }

    void answered(String requestId, VersionRecord record) {
        var version = record.dataset() + "/" + record.version();
        assertThat(versionOfRequest.computeIfAbsent(requestId, _ -> version)).isEqualTo(version);
    }

    void answered(ShardRef ref, SealShard seal) {
        assertThat(acknowledgedSeals.computeIfAbsent(ref, _ -> seal)).isEqualTo(seal);
    }

    private void checkSingleEffect(Entry entry) {
        var key = entry.idempotenceKey();
        if (key.startsWith("begin/") || key.startsWith("plan/") || key.startsWith("seal/")) {
            assertThat(singleEffects.add(key)).as("%s is applied once", key).isTrue();
        }
    }

    private void checkVersion(VersionRecord record) {
        var name = record.dataset() + "/" + record.version();
        var shards = record.splits().stream().mapToInt(SplitRecord::shards).sum();
        var built = record.splits().stream().mapToInt(SplitRecord::sealedShards).sum();
        if (record.state() == VersionState.SEALED) {
            assertThat(built).as(name).isEqualTo(shards).isPositive();
            assertThat(record.digest()).as(name).isNotNull();
            assertThat(sealed.computeIfAbsent(name, _ -> record)).as(name).isEqualTo(record);
        } else {
            assertThat(sealed).doesNotContainKey(name);
            assertThat(record.state() == VersionState.BUILDING && built == shards)
                    .as(name)
                    .isFalse();
        }
        assertThat(record.sameAs() == null || record.state() == VersionState.REMOVED)
                .isTrue();
    }

    private void checkAnswers() {
        versionOfRequest.forEach((request, version) -> {
            var record = image.reads().versionOfRequest(request);
            assertThat(record.dataset() + "/" + record.version()).isEqualTo(version);
        });
        acknowledgedSeals.forEach((ref, seal) ->
                assertThat(image.reads().shard(ref).seal()).as(ref.path()).isEqualTo(seal));
    }

    private void checkEvents() {
        assertThat(events.stream().map(CommittedEvent::id)).doesNotHaveDuplicates();
        assertThat(events.stream()
                        .map(event -> event.event().type() + " " + event.event().subject()))
                .as("each change is told once")
                .doesNotHaveDuplicates();
        var toldSealed = events.stream()
                .filter(event -> event.event() instanceof TarponEvent.VersionSealed)
                .map(event -> event.event().subject());
        assertThat(toldSealed).containsExactlyInAnyOrderElementsOf(sealed.keySet());
    }

    /// For the workload: the versions of a dataset, none where it is unknown.
    List<VersionRecord> versions(DatasetName dataset) {
        return image.reads().datasets().datasets().stream()
                .filter(record -> record.dataset().equals(dataset))
                .flatMap(record -> record.versions().stream())
                .toList();
    }
}
