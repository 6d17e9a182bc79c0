package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.metadata.VersionState;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Partitions move while plans are made of them. Four partitions, two consumers: two plans are in work at a time.
@QuarkusTest
@QuarkusTestResource(IngestSurroundings.class)
class TakenAwayTest {
    private static final Duration STRANGERS_POLL = Duration.ofMillis(50);
    private static final Pattern WAIT = Pattern.compile("read dataset (moves-[0-9])[^,]*since ([^,]+),");

    SmallMetadata metadata;

    @TestHTTPResource
    URI service;

    @ConfigProperty(name = "kafka.bootstrap.servers")
    String broker;

    @ConfigProperty(name = "tarpon.metadata.url")
    URI metadataUrl;

    @ConfigProperty(name = "tarpon.directory-roots")
    String sources;

    private final String id = UUID.randomUUID().toString();
    private UploadTopicAtHand topic;
    private long letters;

    @BeforeEach
    void upload() throws Exception {
        topic = new UploadTopicAtHand(broker);
        letters = topic.deadLetters();
        Files.writeString(Files.createDirectory(Path.of(sources, id)).resolve("a.jpg"), "jpeg");
    }

    /// A command with a plan may take ten minutes: only who lets go of it makes the plan once more before that.
    @Test
    void aPlanWhosePartitionIsTakenAwayIsAbandonedAtOnceAndMadeByTheNextHolder() throws Exception {
        metadata.holdPlans();
        var ends = new HashMap<Integer, Long>();
        try {
            uploadEach(ends);
            Deadline.until("two plans in work", () -> metadata.heldPlans() == 2);
            Deadline.always(Duration.ofSeconds(1), "no third", () -> metadata.heldPlans() == 2);

            topic.takeEverythingAway();

            Deadline.until("two plans by the next holders", () -> metadata.heldPlans() >= 4);
            for (var end : ends.entrySet()) {
                assertThat(topic.committed(end.getKey())).isLessThan(end.getValue());
            }
        } finally {
            metadata.letPlansGo();
        }
        assertAllPlanned(ends);
    }

    @Test
    void whoJoinsTakesItsShareAndThePlansOfTheRestGoOn() throws Exception {
        metadata.failNext(Integer.MAX_VALUE);
        var ends = new HashMap<Integer, Long>();
        try {
            uploadEach(ends);
            Deadline.until("two are waited for", () -> waitedForSince().size() == 2);
            var before = waitedForSince();
            try (var one = topic.stranger();
                    var other = topic.stranger()) {
                Deadline.until("half is theirs, and the rest was left", () -> {
                    one.poll(STRANGERS_POLL);
                    other.poll(STRANGERS_POLL);
                    var taken = new HashSet<String>();
                    one.assignment().forEach(partition -> taken.add("moves-" + partition.partition()));
                    other.assignment().forEach(partition -> taken.add("moves-" + partition.partition()));
                    var now = waitedForSince();
                    return taken.size() == 2
                            && now.size() == 2
                            && now.keySet().stream().noneMatch(taken::contains)
                            && before.entrySet().stream()
                                    .filter(wait -> !taken.contains(wait.getKey()))
                                    .allMatch(wait -> wait.getValue().equals(now.get(wait.getKey())));
                });
            }
        } finally {
            metadata.failNext(0);
        }
        assertAllPlanned(ends);
    }

    private void uploadEach(Map<Integer, Long> ends) throws Exception {
        for (int partition = 0; partition < UploadTopicAtHand.PARTITIONS; partition++) {
            var source = "file://" + Path.of(sources, id);
            ends.put(partition, topic.upload(partition, id + "-" + partition, "moves-" + partition, source));
        }
    }

    private void assertAllPlanned(Map<Integer, Long> ends) throws Exception {
        try (var client = MetadataClient.readOnly(metadataUrl)) {
            for (int partition : ends.keySet()) {
                Deadline.until(
                        "planned " + partition,
                        () -> client.versionOfRequest(id + "-" + partition)
                                .filter(version -> version.state() == VersionState.BUILDING)
                                .isPresent());
            }
        }
        for (var end : ends.entrySet()) {
            Deadline.until("committed " + end.getKey(), () -> topic.committed(end.getKey()) >= end.getValue());
        }
        assertThat(topic.deadLetters()).isEqualTo(letters);
    }

    /// The datasets that readiness says are waited for, and since when.
    private Map<String, String> waitedForSince() throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            var ready = http.send(
                    HttpRequest.newBuilder(service.resolve("/q/health/ready")).build(), BodyHandlers.ofString());
            var found = new HashMap<String, String>();
            var waits = WAIT.matcher(ready.body());
            while (waits.find()) {
                found.put(waits.group(1), waits.group(2));
            }
            return found;
        }
    }
}
