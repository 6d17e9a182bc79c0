package io.tarpon.ingest;

import io.micrometer.core.instrument.Counter;
import io.opentelemetry.api.trace.SpanKind;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.ingest.plan.SplitRule;
import io.tarpon.ingest.upload.OneLine;
import io.tarpon.ingest.upload.Refusal;
import io.tarpon.ingest.upload.Upload;
import io.tarpon.service.retry.AbandonedException;
import io.tarpon.service.retry.Patience;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.StorageFailures;
import io.tarpon.store.UnknownSourceException;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.FailVersion;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import io.tarpon.wire.trace.Step;
import io.tarpon.wire.trace.Traces;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/// An upload becomes a planned version with one message for each shard, or a failed version, or is refused.
///
/// Safe at any crash point, because an upload is only acknowledged after its messages are in the topic and every step
/// gives the same result again: the version is found by the event's id, its parent is pinned from its begin on; plan
/// files are a function of listing, specification and parent, lie under their digests, and are announced only once
/// metadata-svc has taken these; shard-fn passes over a shard that is sealed. Plans that no record names, of an earlier
/// try or of a process that came second, are collected as garbage: once the version is sealed, or removed.
///
/// Two processes may plan one version at a time: the partition of an upload moves while its source is listed. Neither
/// touches a plan of the other, and metadata-svc takes one of the two, whole. The version's revision says whose listing
/// that is: planning changes nothing until metadata-svc takes the plan, so a version that is not as it was begun with
/// is left to others, however it ended, and however often it was tried again.
public final class VersionPlanning {
    private static final Logger LOG = Logger.getLogger(VersionPlanning.class);

    private final MetadataClient metadata;
    private final SourceOpener sources;
    private final Parents parents;
    private final PlanFreezing freezing;
    private final VersionFiles files;
    private final ShardMessages messages;
    private final Patience patience;
    private final Duration askEvery;
    private final Counter plannedSamples;
    private final Traces traces;
    private final Step step;

    /// @param askEvery how often, while a source is listed, metadata-svc is asked whether the version is still wanted
    VersionPlanning(
            MetadataClient metadata,
            SourceOpener sources,
            PlanFreezing freezing,
            VersionFiles files,
            ShardMessages messages,
            Patience patience,
            Duration askEvery,
            Counter plannedSamples,
            Traces traces) {
        this.metadata = metadata;
        this.sources = sources;
        this.parents = new Parents(metadata);
        this.freezing = freezing;
        this.files = files;
        this.messages = messages;
        this.patience = patience;
        this.askEvery = askEvery;
        this.plannedSamples = plannedSamples;
        this.traces = traces;
        this.step = Step.NONE;
    }

    /// The same for one upload: what metadata-svc is told carries its trace on.
    private VersionPlanning(VersionPlanning of, Step step) {
        this.metadata = step.traceparent().map(of.metadata::with).orElse(of.metadata);
        this.sources = of.sources;
        this.parents = of.parents;
        this.freezing = of.freezing;
        this.files = of.files;
        this.messages = of.messages;
        this.patience = of.patience;
        this.askEvery = of.askEvery;
        this.plannedSamples = of.plannedSamples;
        this.traces = of.traces;
        this.step = step;
    }

    /// What became of an upload. After either one it can be acknowledged.
    public sealed interface Outcome {
        record Done() implements Outcome {}

        record Refused(Refusal why, String detail) implements Outcome {}
    }

    /// Waits for what is away for as long as it is.
    ///
    /// @throws AbandonedException when this process is to end: the upload must come again
    public Outcome plan(Upload upload) throws IOException {
        var parent = upload.traceparent().orElse(null);
        return traces.begin("plan upload", SpanKind.CONSUMER, parent).during(begun -> {
            begun.with("tarpon.dataset", upload.data().dataset().value()).with("tarpon.request", upload.id());
            var outcome = new VersionPlanning(this, begun).beginAndProceed(upload.continuedBy(begun.traceparent()));
            if (outcome instanceof Outcome.Refused(var _, var detail)) {
                begun.failed(detail);
            }
            return outcome;
        });
    }

    private Outcome beginAndProceed(Upload upload) throws IOException {
        try {
            var wanted = upload.from(reference(upload.data().source()));
            var registered = patience.keepTrying(
                    "read dataset " + wanted.data().dataset(),
                    () -> registered(wanted.data().dataset()));
            var command = new BeginVersion(upload.id(), specification(wanted, registered));
            var version = patience.keepTrying(
                    "begin version of " + wanted.data().dataset(),
                    () -> metadata.begin(wanted.data().dataset(), command));
            step.with("tarpon.version", version.version().toString());
            return proceedOrFail(wanted, version);
        } catch (UnknownSourceException e) {
            return new Outcome.Refused(Refusal.UNKNOWN_SOURCE, String.valueOf(e.getMessage()));
        } catch (MalformedSpecification e) {
            return new Outcome.Refused(Refusal.MALFORMED, String.valueOf(e.getMessage()));
        } catch (TarponException e) {
            if (Trouble.isRefusal(e)) {
                return new Outcome.Refused(Refusal.REFUSED, e.detail());
            }
            throw e;
        }
    }

    private static final class MalformedSpecification extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedSpecification(IllegalArgumentException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /// In one spelling: who asks for the same in another order of splits asks for the same.
    private static DatasetSpec specification(Upload upload, Optional<DatasetSpec> registered)
            throws MalformedSpecification {
        try {
            var spec = upload.specification(registered);
            return new DatasetSpec(
                    spec.source(),
                    SplitRule.parse(spec.splits()).text(),
                    spec.shardBytes(),
                    spec.shardsMultipleOf(),
                    spec.seed(),
                    spec.replicas(),
                    spec.grow(),
                    spec.leftOut());
        } catch (IllegalArgumentException e) {
            throw new MalformedSpecification(e);
        }
    }

    /// A mistake of ours must not stop what comes after it: the version fails and the upload goes to the dead
    /// letters.
    private Outcome proceedOrFail(Upload upload, VersionRecord version) throws IOException {
        try {
            proceed(upload, version);
            return new Outcome.Done();
        } catch (TarponException | AbandonedException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.errorf(e, "planning broke version=%s id=%s", name(version), upload.id());
            var _ = fail(version, "planning broke: " + e + "; this is a bug");
            return new Outcome.Refused(Refusal.INTERNAL, "planning broke: " + e);
        }
    }

    /// As sent where the source is allowed but away: then the version fails and says so.
    private String reference(String source) throws UnknownSourceException {
        try {
            return sources.normalise(source);
        } catch (UnknownSourceException e) {
            throw e;
        } catch (IOException e) {
            LOG.warnf("source not found source=%s reason=%s", OneLine.of(source), OneLine.of(e.getMessage() + ""));
            return source;
        }
    }

    /// From the log's end: a version is begun with it for good.
    private Optional<DatasetSpec> registered(DatasetName dataset) throws IOException {
        try {
            return Optional.ofNullable(metadata.upToDate().dataset(dataset).spec());
        } catch (TarponException e) {
            if (e.type() == ProblemType.UNKNOWN_DATASET) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private void proceed(Upload upload, VersionRecord version) throws IOException {
        switch (version.state()) {
            case PLANNING -> planNow(upload, version);
            case BUILDING -> {
                long sent = patience.keepTrying(
                        "send plans of " + name(version), () -> messages.sendUnsealed(version, upload.traceparent()));
                LOG.infof("plans sent again version=%s messages=%d", name(version), sent);
            }
            case REMOVED -> {
                if (version.sameAs() != null) {
                    dropFiles(version);
                }
            }
            case SEALED, FAILED ->
                LOG.infof(
                        "request was answered before id=%s version=%s state=%s",
                        upload.id(), name(version), version.state().wireName());
        }
    }

    private void planNow(Upload upload, VersionRecord version) throws IOException {
        LOG.infof(
                "version being planned version=%s source=%s",
                name(version), OneLine.of(version.spec().source()));
        try {
            freezeAndSubmit(upload, version);
        } catch (OvertakenException e) {
            overtaken(upload, version, e.now());
        }
    }

    private void freezeAndSubmit(Upload upload, VersionRecord version) throws IOException {
        FrozenPlan plan;
        try {
            plan = freeze(version);
        } catch (UnplannableException | SpoolException | SourceUnreadableException e) {
            giveUp(version, String.valueOf(e.getMessage()));
            return;
        }
        requireUntouched(version);
        try {
            var answer = patience.keepTrying(
                    "plan version " + name(version),
                    () -> metadata.plan(
                            version.dataset(),
                            version.version(),
                            plan.command(upload.data().force())));
            announce(upload, answer, plan);
        } catch (TarponException e) {
            if (!Trouble.isRefusal(e)) {
                throw e;
            }
            LOG.warnf("plan refused version=%s reason=%s", name(version), e.detail());
            var advice = e.type() == ProblemType.INSUFFICIENT_STORAGE ? "" : "; ingest the source again";
            giveUp(version, "its plan was refused: " + e.detail() + advice);
        }
    }

    /// Asked of the log's end, for what is written next rests on it.
    ///
    /// @throws OvertakenException where the version is not as it was when this process began with it
    private void requireUntouched(VersionRecord begun) throws IOException {
        var now = patience.keepTrying(
                "read version " + name(begun), () -> metadata.upToDate().version(begun.dataset(), begun.version()));
        if (now.state() != VersionState.PLANNING || now.revision() != begun.revision()) {
            throw new OvertakenException(now);
        }
    }

    /// Goes on from where the other process may have stopped. A version that is being planned anew is left to the
    /// upload that comes with the retry.
    private void overtaken(Upload upload, VersionRecord begun, VersionRecord now) throws IOException {
        LOG.warnf(
                "version left to others version=%s begun_revision=%d revision=%d state=%s",
                name(now), begun.revision(), now.revision(), now.state().wireName());
        if (now.state() != VersionState.PLANNING) {
            proceed(upload, now);
        }
    }

    private FrozenPlan freeze(VersionRecord version) throws IOException, UnplannableException {
        var parent = patience.keepTrying("read parent of " + name(version), () -> parents.of(version));
        var source = version.spec().source();
        var fence = new PacedFence(askEvery, () -> requireUntouched(version));
        try (var objects = patience.keepTrying("open source " + OneLine.of(source), () -> open(source))) {
            return freezing.freeze(objects, version.dataset(), version.version(), version.spec(), parent, fence);
        }
    }

    private ObjectSource open(String reference) throws IOException {
        try {
            return sources.open(reference);
        } catch (IOException e) {
            if (StorageFailures.isFinal(e)) {
                throw new SourceUnreadableException(reference, e);
            }
            throw e;
        }
    }

    private void announce(Upload upload, VersionRecord version, FrozenPlan plan) throws IOException {
        switch (version.state()) {
            case BUILDING -> {
                patience.keepTrying("send plans of " + name(version), () -> {
                    messages.sendAll(version, plan, upload.traceparent());
                    return true;
                });
                planned(version, plan);
            }
            // Every shard is kept from the parent.
            case SEALED -> planned(version, plan);
            case REMOVED -> {
                LOG.infof("plan is that of an earlier version version=%s same_as=%s", name(version), version.sameAs());
                dropFiles(version);
            }
            case FAILED ->
                LOG.warnf("version failed with its plan version=%s reason=%s", name(version), version.reason());
            case PLANNING ->
                LOG.infof(
                        "plan changed nothing version=%s state=%s",
                        name(version), version.state().wireName());
        }
    }

    private void planned(VersionRecord version, FrozenPlan plan) {
        plannedSamples.increment((double) plan.samples());
        step.with("tarpon.samples", plan.samples()).with("tarpon.shards", plan.shards());
        LOG.infof(
                "version planned version=%s found=%d members=%d samples=%d shards=%d kept=%d parent=%s",
                name(version),
                plan.inputs().found(),
                plan.inputs().members(),
                plan.samples(),
                plan.shards(),
                plan.kept(),
                version.parent() == null ? "-" : version.parent());
    }

    private void giveUp(VersionRecord version, String reason) throws IOException {
        requireUntouched(version);
        var _ = fail(version, reason);
    }

    private VersionRecord fail(VersionRecord version, String reason) throws IOException {
        step.failed(reason);
        LOG.warnf("version cannot be planned version=%s reason=%s", name(version), OneLine.of(reason));
        return patience.keepTrying(
                "fail version " + name(version),
                () -> metadata.fail(version.dataset(), version.version(), new FailVersion(reason)));
    }

    private void dropFiles(VersionRecord version) throws IOException {
        patience.keepTrying("delete files of " + name(version), () -> {
            files.deleteAll(version.dataset(), version.version());
            return true;
        });
    }

    private static String name(VersionRecord version) {
        return version.dataset() + "/" + version.version();
    }
}
