package io.tarpon.wire.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.GoldenFiles;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.WireRecords;
import io.tarpon.wire.block.DropBlocks;
import io.tarpon.wire.block.WantedBlocks;
import io.tarpon.wire.gateway.DatasetsDocument;
import io.tarpon.wire.gateway.ReportLine;
import io.tarpon.wire.gateway.ShardsDocument;
import io.tarpon.wire.gateway.VersionDocument;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.letter.DeadLetterList;
import io.tarpon.wire.letter.LettersPutBack;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MetadataRecordsTest {
    @Test
    void everyRecordHasItsGoldenFile() throws IOException {
        var version = WireRecords.version();
        var dataset = new DatasetRecord(WireRecords.DEMO, WireRecords.V1, version.spec(), List.of(version));
        GoldenFiles.check("dataset-spec.json", version.spec());
        GoldenFiles.check("begin-version.json", new BeginVersion("request-1", version.spec()));
        GoldenFiles.check("plan-version.json", WireRecords.plan());
        GoldenFiles.check("seal-shard.json", WireRecords.seal());
        GoldenFiles.check("fail-version.json", new FailVersion("input a/b.jpg changed", WireRecords.SHA));
        GoldenFiles.check("version-record.json", version);
        GoldenFiles.check("dataset-list.json", new DatasetList(List.of(dataset)));
        GoldenFiles.check("shard-page.json", new ShardPage(List.of(WireRecords.shard()), WireRecords.SHARD));
        GoldenFiles.check("node-list.json", new NodeList(7, List.of(WireRecords.node())));
        GoldenFiles.check(
                "node-changes.json", new NodeChanges("new", "old", 7, List.of(WireRecords.node()), List.of("node-2")));
        GoldenFiles.check("reader-report.json", new ReaderReport(List.of("demo/v1")));
        GoldenFiles.check("replica-digest.json", new ReplicaDigest(7, WireRecords.SHA));
        GoldenFiles.check("garbage-report.json", WireRecords.garbage());
        GoldenFiles.check(
                "snapshot-report.json", new SnapshotReport(ObjectKeys.snapshot(7), 7, 12, 3_000, WireRecords.SHA));
        var progress =
                new VersionProgress(WireRecords.DEMO, WireRecords.V1, VersionState.BUILDING, WireRecords.TIME, 3, 1);
        GoldenFiles.check(
                "versions-in-work.json",
                new VersionsInWork(WireRecords.TIME.plusSeconds(60), List.of(progress), "demo/v1"));
        GoldenFiles.check("heartbeat.json", new Heartbeat(12, 100_000_000));
    }

    @Test
    void whatServicesAskOneAnotherHasItsGoldenFile() throws IOException {
        GoldenFiles.check("drop-blocks.json", new DropBlocks(List.of("00112233445566778899aabbccddeeff"), true));
        GoldenFiles.check("drop-blocks-answer.json", new DropBlocks.Answer(1, 8 << 20));
        var wanted = new WantedBlocks.Wanted("00112233445566778899aabbccddeeff", "demo/v1/train/shard-000000", 3);
        GoldenFiles.check("wanted-blocks.json", new WantedBlocks(List.of(wanted)));
        GoldenFiles.check("wanted-blocks-answer.json", new WantedBlocks.Answer(1));
        GoldenFiles.check(
                "letters-put-back.json",
                new LettersPutBack(
                        List.of("tarpon.uploads.dlq/0/7"),
                        List.of("tarpon.uploads.dlq/0/8"),
                        "tarpon.uploads.dlq/0/9-20"));
        GoldenFiles.check(
                "dead-letter-list.json",
                new DeadLetterList(List.of(WireRecords.letter()), true, "tarpon.uploads.dlq/0/7"));
    }

    @Test
    void everyPublicDocumentHasItsGoldenFile() throws IOException {
        var version = WireRecords.version();
        var dataset = new DatasetRecord(WireRecords.DEMO, WireRecords.V1, version.spec(), List.of(version));
        GoldenFiles.check("document-version.json", VersionDocument.of(version));
        GoldenFiles.check("document-datasets.json", DatasetsDocument.of(new DatasetList(List.of(dataset))));
        var shard =
                ShardsDocument.Shard.of(WireRecords.shard(), "http://127.0.0.1:7070/d/demo/v1/train/shard-000000.tar");
        GoldenFiles.check("document-shards.json", new ShardsDocument(List.of(shard), null));
        GoldenFiles.check("document-report-line.json", ReportLine.leftOut(".hidden", "dot-file"));
        GoldenFiles.check("problem.json", Problem.of(ProblemType.UNKNOWN_SHARD, "demo/v1/train has no shard-000009"));
    }

    @Test
    void theOrderOfSharesIsNoPartOfASpecification() {
        assertThat(withSplits("val=0.1,test=0.1,train=0.8")).isEqualTo(withSplits("train=0.8,val=0.1,test=0.1"));
        assertThat(withSplits("train=0.8,val=0.2")).isNotEqualTo(withSplits("train=0.2,val=0.8"));
        assertThat(withSplits("auto").splits()).isEqualTo("auto");
        assertThat(withSplits("a=1,").splits()).as("is wrong as it was").isEqualTo(",a=1");
    }

    private static DatasetSpec withSplits(String splits) {
        return new DatasetSpec("x", splits, 1 << 20, 1, 0, 2, false, "allow");
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> new Inputs(3, 1, 0, new TreeMap<>())).hasMessageContaining("unaccounted");
        assertThatThrownBy(() -> new BeginVersion(" ", DatasetSpec.of("x"))).hasMessageContaining("requestId");
        assertThatThrownBy(() -> new DatasetSpec("x", "auto", 1, 1, 0, 2, false, "allow"))
                .hasMessageContaining("shardBytes 1");
        assertThatThrownBy(() -> new PlannedShard(WireRecords.SHARD, 1, 1, "zz"))
                .hasMessageContaining("planSha256");
        assertThatThrownBy(() -> WireRecords.seal().by("../../0123456789"))
                .hasMessageContaining("attempt must be 16 lower-case hex digits");
        assertThatThrownBy(() -> NodeRegistration.requireId("-a")).hasMessageContaining("'-a'");
        assertThatThrownBy(() -> new VersionProgress(
                        WireRecords.DEMO, WireRecords.V1, VersionState.SEALED, WireRecords.TIME, 1, 1))
                .hasMessageContaining("not in work");
    }
}
