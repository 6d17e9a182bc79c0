package io.tarpon.metadata.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.Decision;
import io.tarpon.metadata.image.Image;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.VersionRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
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
    private final Map<String, Integer> retries = new HashMap<>();
    private final VersionPromises versions = new VersionPromises();
    private final ShardPromises shards = new ShardPromises();
    private final Map<String, String> versionOfRequest = new HashMap<>();
    private final Map<String, String> beganBy = new HashMap<>();
    private final Set<String> forgotten = new HashSet<>();
    private int forgottenNodes;
    private int refusals;
    private final Map<ShardRef, Set<SealShard>> acknowledgedSeals = new HashMap<>();

    Image image() {
        return image;
    }

    List<CommittedEvent> events() {
        return events;
    }

    int sealedVersions() {
        return versions.sealed().size();
    }

    /// How often a retry, a kept shard and a collection were met.
    Map<String, Integer> met() {
        return Map.of(
                "refusals", refusals,
                "retries", retries.values().stream().mapToInt(Integer::intValue).sum(),
                "kept", shards.kept(),
                "carried", shards.carried(),
                "collected", shards.collected(),
                "forgotten versions", forgotten.size(),
                "forgotten nodes", forgottenNodes,
                "same as one in work", versions.sameAsOneInWork());
    }

    /// Replays what is new, and checks every promise.
    void look(List<byte[]> entries) throws IOException {
        while (image.revision() < entries.size()) {
            var bytes = entries.get((int) image.revision());
            var entry = EntryFormat.decode("simulated " + (image.revision() + 1), bytes);
            assertThat(EntryFormat.encode(entry)).as("an entry has one form").isEqualTo(bytes);
            var before = VersionPromises.states(image);
            var replayed = image.replay(entry);
            if (replayed.applied()) {
                entry.records().forEach(this::checkSingleEffect);
                entry.records().forEach(change -> shards.look(image, change));
            }
            VersionPromises.checkEvents(before, VersionPromises.states(image), entry, replayed);
            events.addAll(replayed.events());
            digests.add(image.digest());
            versions.check(image);
            shards.check(image);
        }
        checkAnswers();
        assertThat(events.stream().map(CommittedEvent::id)).doesNotHaveDuplicates();
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
        // It may have been forgotten between its entry and its answer.
        if (!forgotten.contains(version)) {
            assertThat(versionOfRequest.computeIfAbsent(requestId, _ -> version))
                    .isEqualTo(version);
        }
    }

    /// A refusal is one by all that is in the log, however far behind the replica was that was asked.
    void refused(List<byte[]> entries, Command<?> command, ProblemType why) {
        assertThat(now(entries, command))
                .as("refusal of %s", command)
                .isInstanceOfSatisfying(
                        Decision.Refused.class,
                        refused -> assertThat(refused.problem().type()).isEqualTo(why));
        refusals++;
    }

    /// What was said to be so already is so by all that is in the log.
    void repeated(List<byte[]> entries, Command<?> command) {
        assertThat(now(entries, command)).as("repetition of %s", command).isInstanceOf(Decision.AlreadyApplied.class);
    }

    private Decision now(List<byte[]> entries, Command<?> command) {
        try {
            look(entries);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return image.decide(command);
    }

    void answered(ShardRef ref, SealShard seal) {
        acknowledgedSeals.computeIfAbsent(ref, _ -> new HashSet<>()).add(seal);
    }

    /// A version is begun once, and planned and its shards sealed once between two retries.
    private void checkSingleEffect(Change change) {
        switch (change) {
            case Change.VersionBegun begun -> {
                single("request " + begun.requestId());
                beganBy.put(begun.requestId(), begun.dataset() + "/" + begun.version());
            }
            case Change.InputsCounted counted -> single("plan", counted.dataset() + "/" + counted.version());
            case Change.ShardSealed sealed -> single("seal " + sealed.ref(), sealed.dataset() + "/" + sealed.version());
            case Change.VersionCollected collected ->
                single("collect " + collected.dataset() + "/" + collected.version());
            case Change.VersionRetried retried ->
                retries.merge(retried.dataset() + "/" + retried.version(), 1, Integer::sum);
            case Change.DatasetRegistered _,
                    Change.VersionPlanned _,
                    Change.VersionFailed _,
                    Change.VersionRemoved _,
                    Change.DatasetRemoved _,
                    Change.NodeJoined _,
                    Change.NodeLeft _ -> {}
            case Change.VersionForgotten gone -> forget(gone.dataset() + "/" + gone.version());
            case Change.NodeForgotten _ -> forgottenNodes++;
        }
    }

    /// The request that began it may begin another one.
    private void forget(String version) {
        forgotten.add(version);
        versionOfRequest.values().removeIf(version::equals);
        beganBy.entrySet().removeIf(begun -> {
            if (begun.getValue().equals(version)) {
                singleEffects.remove("request " + begun.getKey());
                return true;
            }
            return false;
        });
    }

    private void single(String effect, String version) {
        single(effect + " of " + version + ", try " + retries.getOrDefault(version, 0));
    }

    private void single(String effect) {
        assertThat(singleEffects.add(effect)).as("%s is applied once", effect).isTrue();
    }

    private void checkAnswers() {
        versionOfRequest.forEach((request, version) -> {
            var record = image.reads().versionOfRequest(request);
            assertThat(record.dataset() + "/" + record.version()).isEqualTo(version);
        });
        acknowledgedSeals.forEach((ref, seals) ->
                assertThat(shards.everSealed(ref)).as("acknowledged %s", ref).containsAll(seals));
    }

    /// For the workload: the versions of a dataset, none where it is unknown.
    List<VersionRecord> versions(DatasetName dataset) {
        return image.reads().datasets(null, Integer.MAX_VALUE).datasets().stream()
                .filter(record -> record.dataset().equals(dataset))
                .flatMap(record -> record.versions().stream())
                .toList();
    }
}
