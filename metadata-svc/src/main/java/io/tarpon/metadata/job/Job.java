package io.tarpon.metadata.job;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/// Runs what the arguments of the program ask for, and says on a stream, in lines, how far it is and what came of it:
/// `copied done=<number> total=<number>` and the like, and last `moved log=<kafka|local> revision=<number> …` or
/// `restored revision=<number> …`.
public final class Job {
    static final int FAILED = 1;
    static final int USAGE = 2;
    private static final String WHAT = "metadata-svc";

    private final PrintStream out;
    private final PrintStream err;

    public Job(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /// Returns the exit status: 0, 1 where it failed, and why is said in a line, 2 where nothing is known by that name.
    public int run(List<String> arguments) {
        try {
            if (arguments.equals(List.of("move", "kafka"))) {
                tell(new MoveToKafka(places(), witness()).run());
            } else if (arguments.equals(List.of("move", "local"))) {
                tell(new MoveToLocal(places(), witness()).run());
            } else if (arguments.size() == 2 && arguments.getFirst().equals("restore")) {
                tell(new Restore(places().folder(), witness()).run(Path.of(arguments.getLast())));
            } else {
                err.println(WHAT + ": no job is named '" + String.join(" ", arguments) + "': there are 'move kafka',"
                        + " 'move local' and 'restore FILE'; without a name the service starts");
                return USAGE;
            }
            return 0;
        } catch (IOException | RuntimeException e) {
            err.println(WHAT + ": " + e.getMessage());
            return FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println(WHAT + ": interrupted");
            return FAILED;
        }
    }

    private static LogPlaces places() throws IOException {
        return JobSettings.read().places();
    }

    private void tell(Moved moved) {
        out.println("moved log=" + moved.log() + " revision=" + moved.revision() + " begin=" + moved.begin()
                + " copied=" + moved.copied() + " bytes=" + moved.bytes());
    }

    private void tell(Restored restored) {
        out.println("restored revision=" + restored.revision() + " entries=" + restored.entries() + " bytes="
                + restored.bytes());
    }

    private Witness witness() {
        return new Witness() {
            @Override
            public void reached(Step step) {
                // What is being done says as much.
            }

            @Override
            public void at(String what, long done, long total) {
                out.println(what + " done=" + done + " total=" + total);
            }

            @Override
            public void warn(String what) {
                err.println(WHAT + ": " + what);
            }
        };
    }
}
