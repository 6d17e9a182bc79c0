package io.tarpon.metadata.api;

import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.VAL;
import static io.tarpon.metadata.Fixtures.node;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.FailVersion;
import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeState;
import io.tarpon.wire.metadata.VersionProgress;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The control API as its client sees it.
@QuarkusTest
@QuarkusTestResource(ServiceFolder.class)
class ApiTest {
    @TestHTTPResource
    URI base;

    private MetadataClient client;
    private DatasetName dataset;

    @BeforeEach
    void connect() {
        client = new MetadataClient(base, new WriteToken(ServiceFolder.TOKEN));
        dataset = new DatasetName("d" + UUID.randomUUID());
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void aPlannedVersionWhoseShardsAreSealedIsTheLatest() throws IOException {
        assertThat(client.register(dataset, SPEC).spec()).isEqualTo(SPEC);
        var begun = client.begin(dataset, begin());
        assertThat(begun.state()).isEqualTo(VersionState.PLANNING);
        var planned = client.plan(dataset, begun.version(), plan("p", 2, 1));
        assertThat(planned.state()).isEqualTo(VersionState.BUILDING);
        for (var ref : new ShardRef[] {
            new ShardRef(dataset, begun.version(), TRAIN, new ShardName(0)),
            new ShardRef(dataset, begun.version(), TRAIN, new ShardName(1)),
            new ShardRef(dataset, begun.version(), VAL, new ShardName(0))
        }) {
            var content = seal(ref.shard().index(), ref.path());
            var sealed = client.seal(ref, content);
            assertThat(sealed.seal()).isEqualTo(content);
            assertThat(client.seal(ref, content)).isEqualTo(sealed);
            assertThat(client.shard(ref)).isEqualTo(sealed);
        }
        var latest = client.latest(dataset);
        assertThat(latest.state()).isEqualTo(VersionState.SEALED);
        assertThat(client.version(dataset, begun.version())).isEqualTo(latest);
        assertThat(client.dataset(dataset).latest()).isEqualTo(begun.version());
        assertThat(client.datasets()).contains(client.dataset(dataset));
    }

    @Test
    void whatChangesShowsInTheDigestAndWhatDoesNotIsTheSame() throws IOException {
        client.register(dataset, SPEC);
        var before = client.upToDate().digest();
        assertThat(client.digest()).isEqualTo(before);
        client.begin(dataset, begin());
        var after = client.digest();
        assertThat(after.revision()).isGreaterThan(before.revision());
        assertThat(after.digest()).isNotEqualTo(before.digest());
    }

    @Test
    void aRequestFindsItsVersionWhateverItsIdHolds() throws IOException {
        var requestId = "s3://bucket/a b/_SUCCESS?x=1#\"etag\"+é/../" + UUID.randomUUID();
        assertThat(client.versionOfRequest(requestId)).isEmpty();
        var begun = client.begin(dataset, new BeginVersion(requestId, SPEC));
        assertThat(client.versionOfRequest(requestId)).contains(begun);
        assertThat(client.begin(dataset, new BeginVersion(requestId, SPEC))).isEqualTo(begun);
    }

    @Test
    void thePlanOfTheLatestVersionGivesThatVersionBack() throws IOException {
        sealOneShard("p");
        var again = client.begin(dataset, begin());
        var planned = client.plan(dataset, again.version(), plan("p", 1, 0));
        assertThat(planned.state()).isEqualTo(VersionState.REMOVED);
        assertThat(planned.sameAs()).isEqualTo(client.latest(dataset).version());
    }

    @Test
    void aShardWithOtherContentIsAConflict() throws IOException {
        var ref = sealOneShard("p");
        refused(ProblemType.CONFLICT, () -> client.seal(ref, seal(0, "other")));
    }

    @Test
    void aFailedVersionSaysWhy() throws IOException {
        var begun = client.begin(dataset, begin());
        client.fail(dataset, begun.version(), new FailVersion("x.jpg vanished"));
        assertThat(client.version(dataset, begun.version()).reason()).isEqualTo("x.jpg vanished");
        refused(ProblemType.UNKNOWN_VERSION, () -> client.latest(dataset));
    }

    @Test
    void aVersionInWorkSaysWhenItCameOn() throws IOException {
        var first = client.begin(dataset, begin()).version();
        var second = client.begin(dataset, begin()).version();
        var planned = client.plan(dataset, second, plan("p", 3, 0));
        assertThat(inWork(VersionState.PLANNING))
                .extracting(VersionProgress::version)
                .containsExactly(first);
        var building = inWork(VersionState.BUILDING);
        assertThat(building).extracting(VersionProgress::version).containsExactly(second);
        assertThat(building.getFirst().shards()).isEqualTo(3);
        assertThat(building.getFirst().progressAt()).isAfterOrEqualTo(planned.begunAt());
    }

    /// Of this dataset; page by page of one.
    private List<VersionProgress> inWork(VersionState state) throws IOException {
        var found = new ArrayList<VersionProgress>();
        var after = Optional.<String>empty();
        do {
            var page = client.versionsInWork(state, after, 1);
            assertThat(page.versions())
                    .allSatisfy(version -> assertThat(version.progressAt()).isBeforeOrEqualTo(page.at()));
            page.versions().stream()
                    .filter(version -> version.dataset().equals(dataset))
                    .forEach(found::add);
            after = Optional.ofNullable(page.next());
        } while (after.isPresent());
        return found;
    }

    @Test
    void aPlanOfTenThousandShardsIsTakenAndPaged() throws IOException {
        var begun = client.begin(dataset, begin());
        client.plan(dataset, begun.version(), plan("p", 10_000, 0));
        var seen = 0;
        Optional<ShardName> after = Optional.empty();
        do {
            var page = client.shards(dataset, begun.version(), TRAIN, after, 3_000);
            assertThat(page.shards().getFirst().name()).isEqualTo(new ShardName(seen));
            seen += page.shards().size();
            after = Optional.ofNullable(page.next());
        } while (after.isPresent());
        assertThat(seen).isEqualTo(10_000);
    }

    @Test
    void nodesJoinBeatGetLostAndLeave() throws IOException {
        var id = "node-" + UUID.randomUUID();
        assertThat(client.join(id, node(1)).state()).isEqualTo(NodeState.UP);
        assertThat(client.heartbeat(id, new Heartbeat(3, 400)).blocks()).isEqualTo(3);
        var revision = client.nodes().revision();
        await(id, NodeState.LOST);
        client.heartbeat(id, new Heartbeat(4, 500));
        assertThat(record(id).state()).isEqualTo(NodeState.UP);
        assertThat(client.nodes().revision()).isEqualTo(revision);
        client.leave(id);
        client.leave(id);
        assertThat(client.nodes().nodes()).noneMatch(record -> record.id().equals(id));
        refused(ProblemType.NOT_FOUND, () -> client.heartbeat(id, new Heartbeat(4, 500)));
    }

    @Test
    void whoJoinedLastUnderAnIdIsTheNode() throws IOException {
        var id = "node-" + UUID.randomUUID();
        client.join(id, node(1), "first");
        assertThat(client.heartbeat(id, new Heartbeat(3, 400), "first").blocks())
                .isEqualTo(3);
        client.join(id, node(2), "second");
        refused(ProblemType.CONFLICT, () -> client.heartbeat(id, new Heartbeat(9, 900), "first"));
        refused(ProblemType.CONFLICT, () -> client.heartbeat(id, new Heartbeat(9, 900)));
        refused(ProblemType.CONFLICT, () -> leave(id, "first"));
        assertThat(record(id).registration()).isEqualTo(node(2));
        assertThat(record(id).blocks()).isEqualTo(3);
        assertThat(client.heartbeat(id, new Heartbeat(4, 500), "second").blocks())
                .isEqualTo(4);
        client.leave(id, "second");
        assertThat(client.nodes().nodes()).noneMatch(record -> record.id().equals(id));
    }

    private NodeRecord leave(String id, String incarnation) throws IOException {
        var before = record(id);
        client.leave(id, incarnation);
        return before;
    }

    @Test
    void aReaderWithoutTheTokenMayOnlyRead() throws IOException {
        try (var reader = MetadataClient.readOnly(base)) {
            assertThat(reader.datasets()).isNotNull();
            refused(ProblemType.UNAUTHORIZED, () -> reader.register(dataset, SPEC));
        }
        refused(ProblemType.UNKNOWN_DATASET, () -> client.dataset(dataset));
    }

    private BeginVersion begin() {
        return new BeginVersion(UUID.randomUUID().toString(), SPEC);
    }

    private ShardRef sealOneShard(String digestOf) throws IOException {
        var begun = client.begin(dataset, begin());
        client.plan(dataset, begun.version(), plan(digestOf, 1, 0));
        var ref = new ShardRef(dataset, begun.version(), TRAIN, new ShardName(0));
        client.seal(ref, seal(0, digestOf));
        return ref;
    }

    private NodeRecord record(String id) throws IOException {
        return client.nodes().nodes().stream()
                .filter(record -> record.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private void await(String id, NodeState state) throws IOException {
        Deadline.until("node is " + state, () -> record(id).state() == state);
    }

    private interface Call {
        void make() throws IOException;
    }

    private static void refused(ProblemType type, Call call) {
        assertThatThrownBy(call::make)
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(type));
    }
}
