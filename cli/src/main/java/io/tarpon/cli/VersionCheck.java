package io.tarpon.cli;

import io.tarpon.cli.client.Gateway;
import io.tarpon.cli.console.Console;
import io.tarpon.cli.console.Sizes;
import io.tarpon.cli.verify.ExpectedShard;
import io.tarpon.cli.verify.ShardCheck;
import io.tarpon.cli.verify.VerifyResult;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.directory.DirectorySource;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.gateway.ShardsDocument;
import io.tarpon.wire.gateway.SplitDocument;
import io.tarpon.wire.gateway.VersionDocument;
import io.tarpon.wire.plan.PlanReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/// Reads every shard of a version through the gateway and checks it. Plans come from the object store, members for
/// comparison from the source: neither goes through what is being checked.
public final class VersionCheck {
    private static final int BUFFER_BYTES = 1 << 18;

    private final Gateway gateway;
    private final Path store;
    private final Console console;

    public VersionCheck(Gateway gateway, Path store, Console console) {
        this.gateway = gateway;
        this.store = store;
        this.console = console;
    }

    /// @param withSource compare every member's bytes with its source too
    public VerifyResult run(VersionDocument version, boolean withSource) {
        var total = version.splits().stream().mapToLong(SplitDocument::bytes).sum();
        var result = VerifyResult.NOTHING;
        try (var progress = console.progress("verifying", total);
                var objects = DirectoryStore.open(store)) {
            for (var split : version.splits()) {
                for (var shard : gateway.shards(version.dataset(), version.version(), split.name())) {
                    result = result.plus(checked(objects, version, split.name(), shard, withSource));
                    progress.at(result.bytes(), Sizes.human(result.bytes()));
                }
            }
            return result;
        } catch (IOException e) {
            throw CommandFailure.failed("cannot verify: " + e.getMessage(), "look at: ./tarpon status");
        }
    }

    /// A shard that cannot be had is bad; the others are checked all the same.
    private VerifyResult checked(
            ObjectStore objects,
            VersionDocument version,
            String split,
            ShardsDocument.Shard shard,
            boolean withSource) {
        try {
            return check(objects, version, split, shard, withSource);
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
            ObjectStore objects, VersionDocument version, String split, ShardsDocument.Shard shard, boolean withSource)
            throws IOException {
        var expected = new ExpectedShard(
                split + "/" + shard.name(), shard.samples(), shard.bytes(), shard.sha256(), shard.crc32c());
        var ref = new ShardRef(
                new DatasetName(version.dataset()),
                VersionId.parse(version.version()),
                new SplitName(split),
                ShardName.parse(shard.name()));
        var key = ObjectKeys.plan(ref);
        var size = objects.size(key).orElseThrow(() -> new IOException("the store has no plan " + key));
        try (var plan = new PlanReader(key, new BufferedInputStream(objects.open(key, 0, size)));
                var tar = new BufferedInputStream(
                        gateway.shard(version.dataset(), version.version(), split, shard.name()), BUFFER_BYTES)) {
            if (!withSource) {
                return ShardCheck.againstPlan(expected, tar, plan);
            }
            try (var source = source(plan.header().source())) {
                return ShardCheck.againstSource(expected, tar, plan, source);
            }
        }
    }

    private static ObjectSource source(String ref) {
        if (!ref.startsWith("file:")) {
            throw CommandFailure.usage(
                    "the source " + ref + " is not a folder of this machine", "verify without --source");
        }
        return new DirectorySource(Path.of(URI.create(ref)));
    }
}
