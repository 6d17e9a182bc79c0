package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.util.ArrayList;
import java.util.List;

/// Freezes the plan of a version. It then builds; or fails, where there is no sample or the specification allows
/// no input to be left out; or is removed for the latest sealed version, where that has the same plan and
/// nothing forces a new one: neither the plan, nor that somebody had this very version tried again. Shards that it
/// keeps, and those that were sealed from the same plans before the version
/// failed, are sealed with it; where that is all of them, so is the version.
public record PlanVersion(DatasetName dataset, VersionId version, io.tarpon.wire.metadata.PlanVersion plan)
        implements Command<VersionRecord> {
    static final String NO_SAMPLES = "no-samples";

    @Override
    public String idempotenceKey() {
        return "plan/" + dataset + "/" + version + "/" + plan.planDigest();
    }

    @Override
    public String scope() {
        return new Entity.Life(dataset, version).toString();
    }

    @Override
    public Decision decide(Image image) {
        var held = image.version(dataset, version);
        if (plan.planDigest().equals(held.planDigest)) {
            return new Decision.AlreadyApplied();
        }
        if (held.state != VersionState.PLANNING) {
            throw Refusals.ended(held, "cannot be planned again, with another plan");
        }
        var restsOn = new ArrayList<Entity>(List.of(held.life(), new Entity.SealedVersions(dataset)));
        var outcome = outcome(image, held);
        if (outcome instanceof Change.VersionPlanned) {
            Limits.requireRoomForShards(image, held.path(), shards() - held.earlier.count());
            KeptShards.check(image, held, plan.splits()).map(Version::life).ifPresent(restsOn::add);
        }
        return Decision.append(
                image,
                restsOn,
                List.of(new Change.InputsCounted(dataset, version, plan.planDigest(), plan.inputs()), outcome));
    }

    @Override
    public VersionRecord answer(Image image) {
        return image.version(dataset, version).record();
    }

    private long shards() {
        return plan.splits().stream().mapToLong(split -> split.shards().size()).sum();
    }

    private Change outcome(Image image, Version held) {
        if (plan.splits().isEmpty()) {
            return new Change.VersionFailed(dataset, version, NO_SAMPLES);
        }
        if (held.spec.leftOut().equals("fail") && plan.inputs().leftOutCount() > 0) {
            return new Change.VersionFailed(
                    dataset,
                    version,
                    "left-out: " + plan.inputs().leftOutCount() + " of "
                            + plan.inputs().found()
                            + " inputs would be left out (" + plan.inputs().leftOut()
                            + "), and the specification allows none");
        }
        var latest = image.dataset(dataset).latest();
        if (!plan.force()
                && !held.isRetried()
                && latest.isPresent()
                && plan.planDigest().equals(latest.get().planDigest)) {
            var same = latest.get().id;
            return new Change.VersionRemoved(dataset, version, "same plan as " + same, same);
        }
        return new Change.VersionPlanned(dataset, version, plan.splits());
    }
}
