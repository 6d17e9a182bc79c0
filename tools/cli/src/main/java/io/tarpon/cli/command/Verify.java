package io.tarpon.cli.command;

import io.tarpon.cli.VersionCheck;
import io.tarpon.cli.verify.VerifyResult;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.console.Sizes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Re-hashes every shard of a version through the gateway.
@Command(
        name = "verify",
        description = "Re-hash every shard through the gateway against the manifest, names and sizes against the plan.")
public final class Verify extends TarponCommand {
    @Parameters(paramLabel = "DATASET[@v]", description = "The latest sealed version unless one is named.")
    private String ref = "";

    @Option(names = "--source", description = "Compare every member's bytes with its source, too.")
    private boolean source;

    @Override
    int run(Context context) {
        var wanted = DatasetRef.parse(ref);
        var roster = context.cluster().running();
        var gateway = context.gateway(roster);
        var version = gateway.version(wanted.dataset().value(), wanted.version());
        if (!version.state().equals("sealed")) {
            throw CommandFailure.failed(
                    version.dataset() + "@" + version.version() + " is " + version.state() + ", not sealed",
                    "see: ./tarpon show " + version.dataset() + "@" + version.version());
        }
        var result = VersionCheck.of(context, roster).run(version, source);
        context.console().document(result);
        show(context.console(), result, source);
        return result.agrees() ? 0 : CommandFailure.FAILED;
    }

    static void show(Console console, VerifyResult result, boolean withSource) {
        result.bad().forEach(complaint -> console.line("bad: " + complaint));
        console.line((result.agrees() ? "every byte agrees" : "NOT VERIFIED") + ": " + result.shards() + " shards, "
                + result.samples() + " samples, " + result.members() + " members, " + Sizes.human(result.bytes())
                + (withSource ? ", compared with manifest, plan and source" : ", compared with manifest and plan"));
    }
}
