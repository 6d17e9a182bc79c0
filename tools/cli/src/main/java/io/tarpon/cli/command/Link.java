package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.plan.LinkChange;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Takes links of a cluster's processes down, and brings them up again.
@Command(
        name = "link",
        description = "Break, slow and mend the links of processes of a cluster that is up with --netns.")
public final class Link extends TarponCommand {
    private enum Change {
        DOWN,
        APART,
        SLOW,
        UP
    }

    @Parameters(
            index = "0",
            paramLabel = "down|apart|slow|up",
            description = "down: nothing passes. apart: nothing passes between those that are apart, everything else"
                    + " does. slow: by --rate, --delay or both. up: as it was first.")
    private Change change = Change.UP;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "NAME", description = "Names that 'tarpon status' shows.")
    private List<String> names = List.of();

    @Option(names = "--rate", paramLabel = "RATE", description = "Of a slow link, such as 100mbit; each way.")
    private String rate = "";

    @Option(
            names = "--delay",
            paramLabel = "TIME",
            description = "Of a slow link, such as 5ms; each way. Needs a kernel with netem.")
    private String delay = "";

    @Override
    int run(Context context) {
        context.cluster().change(wanted(), names);
        var word = change.name().toLowerCase(Locale.ROOT);
        var console = context.console();
        console.document(Map.of("link", word, "processes", names));
        console.done(String.join(", ", names) + ": " + word);
        return 0;
    }

    private LinkChange wanted() {
        try {
            return switch (change) {
                case DOWN -> new LinkChange.Down();
                case APART -> new LinkChange.Apart();
                case SLOW -> new LinkChange.Slow(rate, delay);
                case UP -> new LinkChange.Up();
            };
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()), "try: ./tarpon link slow NAME --rate 100mbit");
        }
    }
}
