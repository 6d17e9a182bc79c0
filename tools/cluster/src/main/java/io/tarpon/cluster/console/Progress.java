package io.tarpon.cluster.console;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/// How far a long task has come. Owned by one thread.
public final class Progress implements AutoCloseable {
    private static final int COLUMNS = 78;
    private static final int LINES_WITHOUT_TERMINAL = 4;

    private final PrintStream err;
    private final String task;
    private final boolean quiet;
    private final @Nullable ProgressBar bar;
    private long total;
    private long reported;

    Progress(PrintStream err, String task, long total, boolean terminal, boolean quiet) {
        this.err = err;
        this.task = task;
        this.total = total;
        this.quiet = quiet;
        this.bar = terminal ? bar(err, task, total) : null;
    }

    private static ProgressBar bar(PrintStream err, String task, long total) {
        return new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(Math.max(1, total))
                .setStyle(ProgressBarStyle.COLORFUL_UNICODE_BAR)
                .setUpdateIntervalMillis(100)
                .hideEta()
                .setConsumer(new ConsoleProgressBarConsumer(err, COLUMNS))
                .build();
    }

    /// The total became known or changed.
    public void total(long newTotal) {
        total = newTotal;
        if (bar != null) {
            bar.maxHint(Math.max(1, newTotal));
        }
    }

    public void at(long done, String detail) {
        if (bar != null) {
            bar.stepTo(done);
            bar.setExtraMessage(" " + detail);
        } else if (!quiet && total > 0 && done > reported && quarter(done) > quarter(reported)) {
            err.println(task + " " + (long) (100.0 * done / total) + " % " + detail);
        }
        reported = Math.max(reported, done);
    }

    private long quarter(long done) {
        return (long) ((double) done * LINES_WITHOUT_TERMINAL / Math.max(1, total));
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
