package io.tarpon.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tarpon.ingest.VersionPlanning.Outcome;
import io.tarpon.ingest.notice.NoticeReader;
import io.tarpon.ingest.notice.NoticeReading.Notices;
import io.tarpon.ingest.notice.Notifications;
import io.tarpon.ingest.upload.Reading;
import io.tarpon.ingest.upload.Refusal;
import io.tarpon.ingest.upload.Upload;
import io.tarpon.ingest.upload.UploadReading;
import io.tarpon.service.retry.AbandonedException;
import io.tarpon.store.ObjectStamp;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.DatasetSpec;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Notifications in, requests for versions out, with sources in memory and metadata over HTTP.
class UploadNoticesTest {
    /// A minute after the events of [Notifications].
    private static final Instant NOW = Instant.parse("2026-05-01T10:01:00Z");

    private static final Instant WRITTEN = Instant.parse("2026-05-01T10:00:00Z");

    private final MarkedSources sources = new MarkedSources();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<Upload> sent = new ArrayList<>();
    private final Shutdown shutdown = new Shutdown();
    private SmallMetadata metadata;
    private MetadataClient client;
    private UploadNotices notices;
    private int refusals;

    @BeforeEach
    void start() throws Exception {
        metadata = new SmallMetadata();
        client = new MetadataClient(metadata.url(), SmallMetadata.TOKEN);
        notices = notices(NOW);
    }

    @AfterEach
    void stop() {
        client.close();
        metadata.close();
    }

    @Test
    void aMarkerBecomesARequestForItsFolder() throws Exception {
        sources.put("in", "birds/_SUCCESS", WRITTEN);
        assertThat(act(Notifications.aws("shared", "in/birds/_SUCCESS"))).isEqualTo(new Outcome.Done());
        assertThat(sent).hasSize(1);
        var upload = sent.getFirst();
        assertThat(upload.data().dataset().value()).isEqualTo("birds");
        assertThat(upload.data().source()).isEqualTo("s3://shared/in/birds/");
        assertThat(upload.data().spec()).isNull();
        assertThat(upload.data().force()).isFalse();
        assertThat(upload.id()).startsWith("marker-in-birds-").hasSizeLessThan(BeginVersion.MAX_REQUEST_ID_CHARS);
        assertThat(upload.time()).contains(WRITTEN);
        assertThat(upload.traceparent()).contains("00-1-2-01");
        assertThat(count("aws", "requested")).isEqualTo(1);
    }

    @Test
    void everyDialectOfOneMarkerMakesTheSameRequest() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        for (var event : dialects("raw", "birds/_SUCCESS")) {
            assertThat(act(event)).isEqualTo(new Outcome.Done());
        }
        assertThat(sent).hasSize(1);
        assertThat(count("aws", "requested")).isEqualTo(1);
        for (var later : List.of("event-bridge", "minio", "rustfs", "ceph")) {
            assertThat(count(later, "known")).isEqualTo(1);
        }
    }

    @Test
    void anotherProcessMakesTheSameRequest() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        act(Notifications.aws("raw", "birds/_SUCCESS"));
        notices = notices(NOW.plusSeconds(3_600));
        act(Notifications.ceph("raw", "birds/_SUCCESS"));
        assertThat(sent).hasSize(2);
        assertThat(sent.getFirst()).isEqualTo(sent.getLast());
    }

    @Test
    void aRequestThatMetadataKnowsIsNotSentAgain() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        act(Notifications.minio("raw", "birds/_SUCCESS"));
        var begun = sent.getFirst();
        client.begin(
                begun.data().dataset(),
                new BeginVersion(begun.id(), DatasetSpec.of(begun.data().source())));
        notices = notices(NOW);
        act(Notifications.minio("raw", "birds/_SUCCESS"));
        assertThat(sent).hasSize(1);
    }

    @Test
    void whileMetadataIsAwayTheRequestIsSentAllTheSame() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        metadata.failNext(1);
        act(Notifications.minio("raw", "birds/_SUCCESS"));
        assertThat(sent).hasSize(1);
    }

    @Test
    void aMarkerWrittenAgainIsANewRequestThoughItIsAsEmpty() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        act(Notifications.minio("raw", "birds/_SUCCESS"));
        sources.put("raw", "birds/_SUCCESS", WRITTEN.plusSeconds(1));
        act(Notifications.minio("raw", "birds/_SUCCESS"));
        sources.put("raw", "birds/_SUCCESS", new ObjectStamp(MarkedSources.ETAG, WRITTEN.plusSeconds(1), "v9"));
        act(Notifications.minio("raw", "birds/_SUCCESS"));
        sources.put("raw", "birds/_SUCCESS", new ObjectStamp("other-etag", WRITTEN.plusSeconds(1), "v9"));
        act(Notifications.minio("raw", "birds/_SUCCESS"));
        assertThat(sent).extracting(Upload::id).hasSize(4).doesNotHaveDuplicates();
    }

    @Test
    void theSameEventIsNotLookedAtAgain() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        act(aws("birds/_SUCCESS", "0064D3901D02"));
        int looks = sources.looks.size();
        act(aws("birds/_SUCCESS", "64D3901D02"));
        assertThat(sources.looks).hasSize(looks);
        assertThat(count("aws", "stale")).isEqualTo(1);
    }

    @Test
    void anEarlierEventThatComesLateIsLookedAtAndRequestsNothingMore() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        act(aws("birds/_SUCCESS", "64D3901D02"));
        act(aws("birds/_SUCCESS", "64D3901D01"));
        assertThat(sources.looks).hasSize(2);
        assertThat(sent).hasSize(1);
        assertThat(count("aws", "known")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FFFFFFFFFFFFFFFFFFFFFFFF", "0"})
    void anEventThatLiesAboutItsPlaceSilencesNoOther(String sequencer) throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        act(aws("birds/_SUCCESS", sequencer));
        sources.put("raw", "birds/_SUCCESS", WRITTEN.plusSeconds(1));
        act(aws("birds/_SUCCESS", "64D3901D02"));
        assertThat(sent).extracting(Upload::id).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void objectsAreHintsAndRemovalsAreIgnored() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        for (var key :
                List.of("birds/a.jpg", "_SUCCESS", "birds/deep/_SUCCESS", "birds/_SUCCESS.tmp", "birds_SUCCESS")) {
            assertThat(act(Notifications.ceph("raw", key))).isEqualTo(new Outcome.Done());
        }
        assertThat(count("ceph", "object")).isEqualTo(5);
        assertThat(act(Notifications.ceph("raw", "birds/_SUCCESS")
                        .replace("ObjectCreated:Put", "ObjectRemoved:Delete")))
                .isEqualTo(new Outcome.Done());
        assertThat(count("ceph", "removed")).isEqualTo(1);
        assertThat(sources.looks).isEmpty();
        assertThat(sent).isEmpty();
    }

    @Test
    void createsThatAreNoneAreNotLookedAt() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        for (var name : List.of("PutTagging", "PutRetention", "PutLegalHold", "DeleteTagging")) {
            var record = Notifications.record(
                    "minio:s3", "2.0", "s3:ObjectCreated:" + name, "raw", "birds%2F_SUCCESS", "", "18A2");
            assertThat(act(Notifications.outer("raw/birds/_SUCCESS", record))).isEqualTo(new Outcome.Done());
        }
        assertThat(count("minio", "other")).isEqualTo(4);
        assertThat(sources.looks).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "other",
                "127.0.0.1",
                "169.254.169.254",
                "[::1]",
                "raw@evil",
                "@evil",
                "evil.example/raw",
                "RAW",
                "raw ",
                "arn:aws:s3:::raw"
            })
    void b8ABucketThatIsNotConfiguredIsRefusedAndNothingIsAsked(String bucket) throws Exception {
        for (var event : dialects(bucket, "birds/_SUCCESS")) {
            assertThat(act(event))
                    .isInstanceOfSatisfying(
                            Outcome.Refused.class,
                            refused -> assertThat(refused.why()).isEqualTo(Refusal.UNKNOWN_SOURCE));
        }
        assertThat(sources.looks).isEmpty();
        assertThat(sent).isEmpty();
        assertThat(count("ceph", "unknown-source")).isEqualTo(1);
    }

    @Test
    void whatLiesOutsideEveryPrefixIsNoOnesBusiness() throws Exception {
        assertThat(act(Notifications.aws("shared", "out/birds/_SUCCESS"))).isEqualTo(new Outcome.Done());
        assertThat(act(Notifications.aws("shared", "in/"))).isEqualTo(new Outcome.Done());
        assertThat(count("aws", "outside")).isEqualTo(2);
        assertThat(sources.looks).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "", "Birds", "b irds", "-x", "bírds", "\u0430bc", "a\u202eb", "a\\b", "a\nb"})
    void b4AndB31AFolderThatIsNoDatasetNameIsRefusedByName(String folder) throws Exception {
        sources.put("raw", folder + "/_SUCCESS", WRITTEN);
        assertThat(act(Notifications.aws("raw", folder + "/_SUCCESS")))
                .isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
                    assertThat(refused.why()).isEqualTo(Refusal.INVALID_DATASET);
                    assertThat(refused.detail()).contains("is not a name");
                });
        assertThat(sources.looks).isEmpty();
    }

    @Test
    void b31AFolderOf300CharactersIsRefusedInAShortMessage() throws Exception {
        var refused = (Outcome.Refused) act(Notifications.aws("raw", "x".repeat(300) + "/_SUCCESS"));
        assertThat(refused.why()).isEqualTo(Refusal.INVALID_DATASET);
    }

    @Test
    void aMarkerThatShowsLateIsWaitedFor() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        sources.hide("raw", "birds/_SUCCESS", 2);
        assertThat(act(Notifications.minio("raw", "birds/_SUCCESS"))).isEqualTo(new Outcome.Done());
        assertThat(sources.looks).hasSize(3);
        assertThat(sent).hasSize(1);
    }

    @Test
    void aMarkerThatDoesNotShowIsGivenUpWithoutADeadLetter() throws Exception {
        assertThat(act(Notifications.minio("raw", "birds/_SUCCESS"))).isEqualTo(new Outcome.Done());
        assertThat(sources.looks).hasSize(4);
        assertThat(count("minio", "marker-not-there")).isEqualTo(1);
        // It shows later, and the event comes again.
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        act(Notifications.minio("raw", "birds/_SUCCESS"));
        assertThat(sent).hasSize(1);
    }

    @Test
    void anEventOfLongAgoIsNotWaitedFor() throws Exception {
        notices = notices(NOW.plus(Duration.ofHours(2)));
        act(Notifications.minio("raw", "birds/_SUCCESS"));
        assertThat(sources.looks).hasSize(1);
        act(Notifications.minio("raw", "fish/_SUCCESS").replace("2026-05-01T", "when:"));
        assertThat(sources.looks).hasSize(1 + 4);
    }

    @Test
    void cephsPostIsLookedAtAndNotWaitedFor() throws Exception {
        var post = Notifications.ceph("raw", "birds/_SUCCESS").replace("ObjectCreated:Put", "ObjectCreated:Post");
        act(post);
        assertThat(sources.looks).hasSize(1);
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        act(post);
        assertThat(sent).hasSize(1);
    }

    @Test
    void aSourceThatDoesNotAnswerEndsInADeadLetterAndHoldsNoOneUpForLong() throws Exception {
        sources.put("in", "fish/_SUCCESS", WRITTEN);
        sources.breakDown("raw");
        var outcome = act(Notifications.records(
                Notifications.record("ceph:s3", "2.1", "ObjectCreated:Put", "raw", "birds/_SUCCESS", "", ""),
                Notifications.record("ceph:s3", "2.1", "ObjectCreated:Put", "shared", "in/fish/_SUCCESS", "", "")));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.why()).isEqualTo(Refusal.SOURCE_UNREADABLE));
        assertThat(sent).extracting(upload -> upload.data().dataset().value()).containsExactly("fish");
    }

    @Test
    void aSourceThatDoesNotAnswerIsAskedOnceALookForAllMarkersOfAMessage() throws Exception {
        sources.put("in", "fish/_SUCCESS", WRITTEN);
        sources.breakDown("raw");
        var records = new ArrayList<String>();
        for (int i = 0; i < 100; i++) {
            records.add(Notifications.record(
                    "ceph:s3", "2.1", "ObjectCreated:Put", "raw", "set-" + i + "/_SUCCESS", "", ""));
        }
        records.add(Notifications.record("ceph:s3", "2.1", "ObjectCreated:Put", "shared", "in/fish/_SUCCESS", "", ""));
        assertThat(act(Notifications.records(records.toArray(String[]::new)))).isInstanceOf(Outcome.Refused.class);
        assertThat(sources.looks)
                .filteredOn(look -> look.source().equals("raw"))
                .hasSize(4);
        assertThat(count("ceph", "source-unreadable")).isEqualTo(100);
        assertThat(sent).hasSize(1);
    }

    @Test
    void aBugOfOursRefusesTheMessageRatherThanStopTheTopic() throws Exception {
        sources.breakUs("raw");
        assertThat(act(Notifications.aws("raw", "birds/_SUCCESS")))
                .isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
                    assertThat(refused.why()).isEqualTo(Refusal.INTERNAL);
                    assertThat(refused.detail()).contains("never thought of");
                });
    }

    @Test
    void b2FiveThousandRecordsAreAllActedOn() throws Exception {
        var records = new ArrayList<String>();
        for (int i = 0; i < 5_000; i++) {
            boolean isMarker = i % 1_000 == 7;
            var key = isMarker ? "set-" + i + "/_SUCCESS" : "set-" + i + "/a.jpg";
            if (isMarker) {
                sources.put("raw", key, WRITTEN);
            }
            records.add(
                    "{\"eventVersion\":\"2.1\",\"eventSource\":\"ceph:s3\",\"eventName\":\"ObjectCreated:Put\",\"s3\":"
                            + "{\"bucket\":{\"name\":\"raw\"},\"object\":{\"key\":\"" + key + "\"}}}");
        }
        assertThat(act(Notifications.records(records.toArray(String[]::new)))).isEqualTo(new Outcome.Done());
        assertThat(sent).hasSize(5);
        assertThat(count("ceph", "object")).isEqualTo(4_995);
    }

    @Test
    void oneRecordThatCannotBeActedOnDoesNotStopTheOthers() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        var outcome = act(Notifications.records(
                Notifications.record("aws:s3", "3.0", "ObjectCreated:Put", "raw", "k", "", ""),
                Notifications.record("gcs:s3", "2.0", "ObjectCreated:Put", "raw", "k", "", ""),
                Notifications.record("aws:s3", "2.1", "ObjectCreated:Put", "other", "k", "", ""),
                Notifications.record("aws:s3", "2.1", "ObjectCreated:Put", "raw", "birds/_SUCCESS", "", "")));
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
            assertThat(refused.why()).isEqualTo(Refusal.MALFORMED);
            assertThat(refused.detail()).contains("'3.0'").endsWith("and 2 more like it");
        });
        assertThat(sent).hasSize(1);
        assertThat(count("unknown", "malformed")).isEqualTo(2);
    }

    @Test
    void manyEventsOfOneMarkerInOneMessageAreOneLook() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        var record = Notifications.record("ceph:s3", "2.1", "ObjectCreated:Put", "raw", "birds/_SUCCESS", "", "");
        var post = record.replace("ObjectCreated:Put", "ObjectCreated:Post");
        sources.hide("raw", "birds/_SUCCESS", 1);
        act(Notifications.records(post, record, record, post));
        assertThat(sources.looks).hasSize(2);
        assertThat(sent).hasSize(1);
    }

    @Test
    void aRequestThatIsNotTakenIsWaitedForAndSentOnce() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        refusals = 10;
        act(Notifications.aws("raw", "birds/_SUCCESS"));
        assertThat(refusals).isZero();
        assertThat(sent).hasSize(1);
        act(Notifications.aws("raw", "birds/_SUCCESS"));
        assertThat(sent).hasSize(1);
    }

    @Test
    void onceTheProcessIsToEndTheMessageIsHandedBack() {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        shutdown.begin();
        assertThatThrownBy(() -> act(Notifications.aws("raw", "birds/_SUCCESS")))
                .isInstanceOf(AbandonedException.class);
        assertThat(sent).isEmpty();
    }

    /// F16: duplicates and reordering, over markers that are written again and taken away meanwhile.
    @Test
    void f16ReplaysInAnyOrderMakeNoRequestMore() throws Exception {
        long seed = Long.getLong("tarpon.seed", System.nanoTime());
        System.out.println("f16 seed=" + seed);
        var random = new Random(seed);
        var events = new ArrayList<String>();
        for (int i = 0; i < 20; i++) {
            var key = "set-" + i + "/_SUCCESS";
            sources.put("raw", key, WRITTEN.plusSeconds(i));
            events.add(dialects("raw", key).get(random.nextInt(5)));
            events.add(dialects("raw", "set-" + i + "/a.jpg").get(random.nextInt(5)));
            events.add(Notifications.ceph("raw", key).replace("ObjectCreated:Put", "ObjectRemoved:Delete"));
            events.add(Notifications.aws("raw", "gone-" + i + "/_SUCCESS"));
        }
        var replays = new ArrayList<String>();
        IntStream.range(0, 10).forEach(_ -> replays.addAll(events));
        Collections.shuffle(replays, random);
        notices = notices(NOW.plus(Duration.ofDays(1)));
        for (var event : replays) {
            if (random.nextInt(50) == 0) {
                // A process died, and what it remembered with it.
                notices = notices(NOW.plus(Duration.ofDays(1)));
            }
            assertThat(act(event)).isEqualTo(new Outcome.Done());
        }
        assertThat(sent.stream().map(Upload::id).distinct()).as("seed %d", seed).hasSize(20);
        assertThat(sent.stream().map(upload -> upload.data().dataset()).distinct())
                .as("seed %d", seed)
                .hasSize(20);
    }

    private static List<String> dialects(String bucket, String key) {
        return List.of(
                Notifications.aws(bucket, key),
                Notifications.bridged(bucket, key),
                Notifications.minio(bucket, key),
                Notifications.rustfs(bucket, key),
                Notifications.ceph(bucket, key));
    }

    private static String aws(String key, String sequencer) {
        return Notifications.records(
                Notifications.record("aws:s3", "2.6", "ObjectCreated:Put", "raw", key, "", sequencer));
    }

    private Outcome act(String event) throws IOException {
        var read = new NoticeReader(false).read(event.getBytes(UTF_8));
        return notices.act((Notices) read, Optional.of("00-1-2-01"));
    }

    private double count(String dialect, String outcome) {
        return meters.counter("tarpon.ingest.notices", "dialect", dialect, "outcome", outcome)
                .count();
    }

    private UploadNotices notices(Instant now) {
        var clock = Clock.fixed(now, ZoneOffset.UTC);
        var waits = List.of(Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(3));
        var patience = ShortPauses.until(shutdown::isBegun);
        return new UploadNotices(
                sources,
                new MarkerName("_SUCCESS"),
                new MarkerSearch(sources, waits, Duration.ofMinutes(15), clock, shutdown),
                new MarkerRequests(sources, client, this::take, patience),
                new NoticeCounts(meters));
    }

    private void take(String key, byte[] value) throws IOException {
        if (refusals > 0) {
            refusals--;
            throw new IOException("not now");
        }
        var read = new UploadReading(new NoticeReader(false))
                .read(Optional.of(Events.CONTENT_TYPE), _ -> Optional.empty(), value);
        var upload = ((Reading.Read) read).upload();
        assertThat(key).isEqualTo(upload.data().dataset().value());
        sent.add(upload);
    }
}
