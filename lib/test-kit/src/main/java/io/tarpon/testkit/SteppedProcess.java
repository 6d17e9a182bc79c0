package io.tarpon.testkit;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.Location;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

/// A process that is looked at, through the debugger's interface, as it comes by each line of some of its classes, and
/// killed there: `kill -9` between any two steps of the code as it runs, which knows nothing of that.
public final class SteppedProcess {
    private final Function<String, List<String>> command;
    private final Path output;
    private final List<Class<?>> classes;

    /// One line of those classes, the `time`th time that the process comes by it.
    public record Step(String place, int time) {
        @Override
        public String toString() {
            return place + (time == 1 ? "" : " time " + time);
        }
    }

    /// @param command of a JVM, from an option that it must have
    /// @param output what it says goes there
    /// @param classes whose lines count as steps
    public SteppedProcess(Function<String, List<String>> command, Path output, List<Class<?>> classes) {
        this.command = command;
        this.output = output;
        this.classes = classes;
    }

    /// Runs it to its end, and gives what it came by, in order.
    public List<Step> steps() throws IOException, InterruptedException {
        var steps = new ArrayList<Step>();
        var exit = run(step -> {
            steps.add(step);
            return false;
        });
        if (exit != 0) {
            throw new AssertionError("exit " + exit + ", see " + output);
        }
        return steps;
    }

    /// Kills it before it does that step. Where it does not come by, that is an error.
    public void killBefore(Step wanted) throws IOException, InterruptedException {
        var killed = new boolean[1];
        run(step -> killed[0] |= step.equals(wanted));
        if (!killed[0]) {
            throw new AssertionError("it did not come by " + wanted + ", see " + output);
        }
    }

    /// @param isLast whether to kill it there
    /// @return its exit status
    private int run(Predicate<Step> isLast) throws IOException, InterruptedException {
        var connector = connector();
        var arguments = connector.defaultArguments();
        Objects.requireNonNull(arguments.get("localAddress")).setValue("127.0.0.1");
        Process process;
        VirtualMachine machine;
        try {
            var address = connector.startListening(arguments);
            try {
                process = new ProcessBuilder(command.apply(
                                "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=" + address))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                machine = connector.accept(arguments);
            } finally {
                connector.stopListening(arguments);
            }
        } catch (IllegalConnectorArgumentsException e) {
            throw new AssertionError(e);
        }
        try {
            watch(machine, process, isLast);
        } catch (VMDisconnectedException e) {
            // It has ended.
        }
        return process.waitFor();
    }

    private void watch(VirtualMachine machine, Process process, Predicate<Step> isLast) throws InterruptedException {
        for (var each : classes) {
            var request = machine.eventRequestManager().createClassPrepareRequest();
            request.addClassFilter(each.getName());
            request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
            request.enable();
        }
        var times = new HashMap<String, Integer>();
        machine.resume();
        while (true) {
            var events = machine.eventQueue().remove();
            for (Event event : events) {
                switch (event) {
                    case ClassPrepareEvent prepared -> stopAtEveryLine(prepared.referenceType());
                    case BreakpointEvent reached -> {
                        var place = place(reached.location());
                        if (isLast.test(new Step(place, times.merge(place, 1, Integer::sum)))) {
                            process.destroyForcibly();
                            return;
                        }
                    }
                    case VMDeathEvent _, VMDisconnectEvent _ -> {
                        events.resume();
                        return;
                    }
                    default -> {}
                }
            }
            events.resume();
        }
    }

    private static void stopAtEveryLine(ReferenceType type) {
        try {
            for (var line : type.allLineLocations()) {
                var request = type.virtualMachine().eventRequestManager().createBreakpointRequest(line);
                request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
                request.enable();
            }
        } catch (AbsentInformationException e) {
            throw new AssertionError(type.name() + " was compiled without its lines", e);
        }
    }

    private static String place(Location location) {
        var type = location.declaringType().name();
        return type.substring(type.lastIndexOf('.') + 1) + "."
                + location.method().name() + ":" + location.lineNumber();
    }

    private static ListeningConnector connector() {
        return Bootstrap.virtualMachineManager().listeningConnectors().stream()
                .filter(each -> each.name().equals("com.sun.jdi.SocketListen"))
                .findFirst()
                .orElseThrow();
    }
}
