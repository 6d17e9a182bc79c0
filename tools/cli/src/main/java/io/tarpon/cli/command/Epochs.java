package io.tarpon.cli.command;

import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Sizes;
import io.tarpon.cluster.console.Table;
import io.tarpon.wire.gateway.EpochsDocument;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Shows the open epoch streams, and who waits for whom.
@Command(name = "epochs", description = "Show the open epoch streams: who waits for whom.")
public final class Epochs extends TarponCommand {
    private static final long REFRESH_MILLIS = 1_000;

    /// A stream that waited less than this part of its time waits for nobody.
    private static final double NOTABLE = 0.2;

    @Option(names = "--once", description = "Show them once, also on a terminal.")
    private boolean once;

    @Override
    int run(Context context) {
        var gateway = context.gateway();
        var document = gateway.epochs();
        context.console().document(document);
        if (once || !context.console().canRefresh()) {
            show(context, document);
            return 0;
        }
        while (true) {
            context.console().refresh(lines(document));
            try {
                Thread.sleep(REFRESH_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return 0;
            }
            document = gateway.epochs();
        }
    }

    private static void show(Context context, EpochsDocument document) {
        if (document.epochs().isEmpty()) {
            context.console().note(nothing());
        } else {
            context.console().table(table(document));
        }
    }

    private static List<String> lines(EpochsDocument document) {
        return document.epochs().isEmpty()
                ? List.of(nothing())
                : table(document).lines();
    }

    private static String nothing() {
        return "no epoch is being read; open one at /e/<dataset>/<version>/<split>/<seed>/<epoch>/0of1.tar";
    }

    static Table table(EpochsDocument document) {
        var table = new Table(
                "EPOCH", "RANK", "CLIENT", ">SAMPLES", ">OF", ">RATE", ">ON CLIENT", ">ON STORAGE", "VERDICT");
        for (var stream : document.epochs()) {
            table.row(
                    stream.dataset() + "@" + stream.version() + "/" + stream.split() + " " + stream.seed() + "/"
                            + stream.epoch(),
                    stream.rank() + "of" + stream.world()
                            + (stream.workers() == 1 ? "" : " " + stream.worker() + "of" + stream.workers()),
                    stream.client(),
                    stream.samples(),
                    stream.ofSamples(),
                    Sizes.human((long) (stream.bytes() / Math.max(stream.seconds(), 1e-3))) + "/s",
                    percent(stream.waitedOnClient(), stream.seconds()),
                    percent(stream.waitedOnStorage(), stream.seconds()),
                    verdict(stream));
        }
        return table;
    }

    /// What the waits come to: a client that takes nothing computes, a client that gets nothing starves.
    static String verdict(EpochsDocument.Stream stream) {
        var seconds = Math.max(stream.seconds(), 1e-3);
        if (Math.max(stream.waitedOnClient(), stream.waitedOnStorage()) < NOTABLE * seconds) {
            return "flows";
        }
        return stream.waitedOnClient() >= stream.waitedOnStorage() ? "GPU is busy" : "GPU starves";
    }

    private static String percent(double part, double whole) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * part / Math.max(whole, 1e-3));
    }
}
