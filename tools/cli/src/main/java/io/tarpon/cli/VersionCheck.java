package io.tarpon.cli;

import io.tarpon.cli.verify.ExpectedShard;
import io.tarpon.cli.verify.ShardCheck;
import io.tarpon.cli.verify.VerifyResult;
import io.tarpon.cluster.ClusterStorage;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.client.Gateway;
import io.tarpon.cluster.console.Sizes;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.gateway.ShardsDocument;
import io.tarpon.wire.gateway.SplitDocument;
import io.tarpon.wire.gateway.VersionDocument;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.plan.PlanReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads every shard of a version through the gateway and checks it. Plans come from the object store, members for
/// comparison from the source: neither goes through what is being checked. Where a plan lies, metadata-svc says: a
/// version that grew has shards that lie under its parent's keys.
public final class VersionCheck {
    private static final int BUFFER_BYTES = 1 << 18;
    private static final int PAGE = 10_000;

    private final Context context;
    private final Roster roster;
    private final Gateway gateway;

    private VersionCheck(Context context, Roster roster) {
        this.context = context;
        this.roster = roster;
        this.gateway = context.gateway(roster);
    }

    public static VersionCheck of(Context context, Roster roster) {
        return new VersionCheck(context, roster);
    }

    /// @param withSource compare every member's bytes with its source too
    public VerifyResult run(VersionDocument version, boolean withSource) {
        var total = version.splits().stream().mapToLong(SplitDocument::bytes).sum();
        var result = VerifyResult.NOTHING;
        try (var progress = context.console().progress("verifying", total);
                var storage = ClusterStorage.open(context.state(), roster)) {
            for (var split : version.splits()) {
                var plans = plans(version, split.name());
                for (var shard : gateway.shards(version.dataset(), version.version(), split.name())) {
                    var plan = Optional.ofNullable(plans.get(shard.name()));
                    result = result.plus(checked(storage, version, plan, split.name(), shard, withSource));
                    progress.at(result.bytes(), Sizes.human(result.bytes()));
                }
            }
            return result;
        }
    }

    /// Where the plans of a split's shards lie, by name.
    private Map<String, String> plans(VersionDocument version, String split) {
        var plans = new HashMap<String, String>();
        try (var metadata = MetadataClient.readOnly(roster.metadata())) {
            Optional<ShardName> after = Optional.empty();
            do {
                var page = metadata.shards(
                        new DatasetName(version.dataset()),
                        VersionId.parse(version.version()),
                        new SplitName(split),
                        after,
                        PAGE);
                page.shards().forEach(shard -> {
                    var name = shard.name().toString();
                    plans.put(name, shard.planKey(ref(version, split, name)));
                });
                after = Optional.ofNullable(page.next());
            } while (after.isPresent());
            return plans;
        } catch (IOException | TarponException e) {
            throw CommandFailure.failed(
                    "metadata-svc does not say where the shards lie: " + e.getMessage(), "look at: ./tarpon status");
        }
    }

    private static ShardRef ref(VersionDocument version, String split, String shard) {
        return new ShardRef(
                new DatasetName(version.dataset()),
                VersionId.parse(version.version()),
                new SplitName(split),
                ShardName.parse(shard));
    }

    /// A shard that cannot be had is bad; the others are checked all the same.
    private VerifyResult checked(
            ClusterStorage storage,
            VersionDocument version,
            Optional<String> planKey,
            String split,
            ShardsDocument.Shard shard,
            boolean withSource) {
        try {
            return check(storage, version, planKey, split, shard, withSource);
        } catch (IOException | CommandFailure e) {
            if (e instanceof CommandFailure wrongUse && wrongUse.exitCode() == CommandFailure.USAGE) {
                throw wrongUse;
            }
            if (Thread.currentThread().isInterrupted()) {
                throw CommandFailure.failed("interrupted", "");
            }
            var complaint = split + "/" + shard.name() + " cannot be checked: " + e.getMessage();
            return new VerifyResult(1, 0, 0, 0, List.of(complaint));
        }
    }

    private VerifyResult check(
            ClusterStorage storage,
            VersionDocument version,
            Optional<String> planKey,
            String split,
            ShardsDocument.Shard shard,
            boolean withSource)
            throws IOException {
        var expected = new ExpectedShard(
                split + "/" + shard.name(), shard.samples(), shard.bytes(), shard.sha256(), shard.crc32c());
        var objects = storage.store();
        var key = planKey.orElseThrow(() -> new IOException("metadata-svc does not know the shard"));
        var size = objects.size(key).orElseThrow(() -> new IOException("the store has no plan " + key));
        try (var plan = new PlanReader(key, new BufferedInputStream(objects.open(key, 0, size)));
                var tar = new BufferedInputStream(
                        gateway.shard(version.dataset(), version.version(), split, shard.name()), BUFFER_BYTES)) {
            if (!withSource) {
                return ShardCheck.againstPlan(expected, tar, plan);
            }
            try (var source = storage.source(plan.header().source())) {
                return ShardCheck.againstSource(expected, tar, plan, source);
            }
        }
    }
}
