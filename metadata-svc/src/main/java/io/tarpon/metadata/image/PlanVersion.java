package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Freezes the plan of a version. It then builds; or fails, where there is no sample or the specification allows
/// no input to be left out; or is removed for the latest sealed version, or one that is being built to the same
/// specification, where that has the same plan and nothing forces a new one: neither the plan, nor that somebody had
/// this very version tried again. So a trigger that fires thrice builds once; that the requests are equal would not be
/// enough, for the source may have changed between them. Shards that it
/// keeps, and those that were sealed from the same plans before the version
/// failed, are sealed with it; where that is all of them, so is the version.
///
/// A plan that is too long for one entry goes into the log page by page, each an entry that rests on the version's life
/// alone. All of the above is decided anew with each, and what is decided holds with the last, which makes the pages
/// the plan.
///
/// @param paged the same plan in pages
public record PlanVersion(
        DatasetName dataset, VersionId version, io.tarpon.wire.metadata.PlanVersion plan, PagedPlan paged)
        implements VersionCommand {
    static final String NO_SAMPLES = "no-samples";
    /// The format of entries that knows pages.
    private static final int PAGES_LEVEL = 5;
    /// Of a guard beside its name: quotes, colon, number and comma.
    private static final int GUARD_BYTES = 24;

    public PlanVersion(DatasetName dataset, VersionId version, io.tarpon.wire.metadata.PlanVersion plan) {
        this(dataset, version, plan, PagedPlan.MAX_PAGE_BYTES);
    }

    /// @param pageBytes of the JSON of the shards that go into one entry
    public PlanVersion(
            DatasetName dataset, VersionId version, io.tarpon.wire.metadata.PlanVersion plan, int pageBytes) {
        this(dataset, version, plan, PagedPlan.of(plan.splits(), pageBytes));
    }

    @Override
    public String idempotenceKey() {
        return "plan/" + dataset + "/" + version + "/" + plan.planDigest();
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
        var outcome = outcome(image, held, restsOn);
        return outcome instanceof Change.VersionPlanned
                ? planned(image, held, restsOn)
                : counted(image, restsOn, outcome);
    }

    private Decision.Append counted(Image image, List<Entity> restsOn, Change outcome) {
        return Decision.append(
                image,
                restsOn,
                List.of(new Change.InputsCounted(dataset, version, plan.planDigest(), plan.inputs()), outcome));
    }

    private Decision planned(Image image, Version version, List<Entity> restsOn) {
        var pages = paged.name();
        var inOne = pages.count() == 1 && isShort(restsOn);
        if (!inOne && image.level < PAGES_LEVEL) {
            throw new TarponException(
                    ProblemType.NOT_READY,
                    "the plan of " + version.path() + " takes several entries of the log, which not every replica that"
                            + " runs can read yet: send it again once all are of this version");
        }
        var there = image.pages.getOrDefault(version.name(), new HeldPages());
        var missing = inOne ? 0 : there.missing(pages);
        if (missing > 0 && there.shards(pages) > 0) {
            return page(image, version, missing, there.missingCount(pages));
        }
        // Before the first entry and with the last: in between it would be done again for every page.
        Limits.requireRoomForShards(
                image, version.path(), shards() - version.earlier.count() - (inOne ? 0 : there.shards(pages)));
        var parent = KeptShards.check(image, version, plan.splits());
        if (missing > 0) {
            return page(image, version, missing, there.missingCount(pages));
        }
        parent.map(Version::life).ifPresent(restsOn::add);
        if (inOne) {
            return counted(image, restsOn, new Change.VersionPlanned(dataset, this.version, plan.splits()));
        }
        restsOn.add(new Entity.Pages(dataset, this.version));
        return counted(image, restsOn, new Change.VersionPlanned(dataset, this.version, List.of(), pages));
    }

    /// Whether the guards leave the room that a page of shards needs.
    private static boolean isShort(List<Entity> restsOn) {
        return restsOn.stream()
                        .mapToLong(entity -> entity.toString().length() + GUARD_BYTES)
                        .sum()
                < PagedPlan.ROOM_BYTES / 2;
    }

    private Decision page(Image image, Version held, int number, int missing) {
        var page = new Change.PlanPaged(
                dataset, version, paged.name(), number, paged.pages().get(number - 1));
        return Decision.append(image, List.of(held.life()), List.of(page), missing);
    }

    private long shards() {
        return plan.splits().stream().mapToLong(split -> split.shards().size()).sum();
    }

    private Change outcome(Image image, Version held, List<Entity> restsOn) {
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
        if (!plan.force() && !held.isRetried()) {
            var latest = image.dataset(dataset).latest().filter(this::hasThisPlan);
            if (latest.isPresent()) {
                return removedFor(latest.get());
            }
            var building = building(image, held, restsOn);
            if (building.isPresent()) {
                return removedFor(building.get());
            }
        }
        return new Change.VersionPlanned(dataset, version, plan.splits());
    }

    private boolean hasThisPlan(Version other) {
        return plan.planDigest().equals(other.planDigest);
    }

    private Change.VersionRemoved removedFor(Version same) {
        return new Change.VersionRemoved(dataset, version, "same plan as " + same.id, same.id);
    }

    /// A version being built to this plan. The decision rests on the life of every other version in work, for each
    /// could be planned so, or fail, in between, and on there being no further one.
    private Optional<Version> building(Image image, Version held, List<Entity> restsOn) {
        restsOn.add(new Entity.Numbers(dataset));
        var others = image
                .inWork
                .subMap(first(dataset), true, new VersionName(dataset, new VersionId(Integer.MAX_VALUE)), true)
                .values()
                .stream()
                .filter(other -> other != held)
                .toList();
        others.forEach(other -> restsOn.add(other.life()));
        return others.stream()
                .filter(other -> other.state == VersionState.BUILDING)
                .filter(other -> other.spec.equals(held.spec) && hasThisPlan(other))
                .findFirst();
    }

    private static VersionName first(DatasetName dataset) {
        return new VersionName(dataset, new VersionId(1));
    }
}
