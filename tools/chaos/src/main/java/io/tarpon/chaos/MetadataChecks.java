package io.tarpon.chaos;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.process.BrokerTool;
import io.tarpon.wire.client.MetadataClient;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What must hold of the replicas when all is calm again: they know the same, what was acknowledged is among it, and
/// every change was told once.
final class MetadataChecks {
    private static final Duration AGREE_PATIENCE = Duration.ofMinutes(1);
    private static final Duration PUBLISH_PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final String TOPIC = "tarpon.events";

    private final Context context;
    private final Roster roster;
    private final List<Ledger> ledgers;
    private final Findings findings;

    MetadataChecks(Context context, Roster roster, List<Ledger> ledgers, Findings findings) {
        this.context = context;
        this.roster = roster;
        this.ledgers = ledgers;
        this.findings = findings;
    }

    /// Checks that cannot be brought to their end are a finding.
    ///
    /// @param metadata with all replicas: since they know the same, any of them may answer
    List<MetadataTrialResult.Replica> agree(MetadataClient metadata) throws InterruptedException {
        try {
            for (var ledger : ledgers) {
                Insistence.on("what is known in the end", () -> ledger.contradictions(metadata.upToDate()))
                        .forEach(findings::add);
            }
            return replicasAtOneRevision();
        } catch (CommandFailure e) {
            findings.add(String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    /// Something may still be going on when the first is asked, such as the end of a node's silence.
    private List<MetadataTrialResult.Replica> replicasAtOneRevision() throws InterruptedException {
        var deadline = Instant.now().plus(AGREE_PATIENCE);
        while (true) {
            var replicas = replicas();
            var revisions = replicas.stream()
                    .map(MetadataTrialResult.Replica::revision)
                    .distinct()
                    .toList();
            if (revisions.size() == 1) {
                if (replicas.stream()
                                .map(MetadataTrialResult.Replica::digest)
                                .distinct()
                                .count()
                        > 1) {
                    findings.add("the replicas have come apart at revision " + revisions.getFirst() + ": " + replicas);
                }
                return replicas;
            }
            if (Instant.now().isAfter(deadline)) {
                findings.add("the replicas do not come to one revision: " + replicas);
                return replicas;
            }
            Thread.sleep(PAUSE);
        }
    }

    private List<MetadataTrialResult.Replica> replicas() throws InterruptedException {
        var replicas = new ArrayList<MetadataTrialResult.Replica>();
        for (var member : roster.members().stream().filter(Member::isMetadata).toList()) {
            try (var one = MetadataClient.readOnly(URI.create(member.url()))) {
                var digest = Insistence.on(
                        "the digest of " + member.name(), () -> one.upToDate().digest());
                replicas.add(new MetadataTrialResult.Replica(member.name(), digest.revision(), digest.digest()));
            }
        }
        return replicas;
    }

    /// The last events may still be on their way.
    ChaosResult.Told events() throws InterruptedException {
        var deadline = Instant.now().plus(PUBLISH_PATIENCE);
        while (true) {
            try {
                var told = new BrokerTool(context.state().paths(), roster).dump(TOPIC, PublishedEvents::read);
                var wrong = ledgers.stream()
                        .flatMap(ledger -> ledger.otherwiseTold(told).stream())
                        .toList();
                if (wrong.isEmpty() || Instant.now().isAfter(deadline)) {
                    told.complaints().forEach(findings::add);
                    wrong.forEach(findings::add);
                    return new ChaosResult.Told(told.records(), told.duplicates());
                }
            } catch (CommandFailure e) {
                findings.add("the events on " + TOPIC + " cannot be read: " + e.getMessage());
                return new ChaosResult.Told(0, 0);
            }
            Thread.sleep(PAUSE);
        }
    }
}
