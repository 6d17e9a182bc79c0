package io.tarpon.bench.disk;

/// What `/proc/PID/stat` says of a process's CPU time (proc(5)): of all its threads, those that ended included,
/// which the sum over `/proc/PID/task` forgets.
///
/// @param cpuTicks user and system time, in hundredths of a second
/// @param childTicks the same of its children that ended and were waited for
record StatLine(String name, long cpuTicks, long childTicks) {
    /// USER_HZ, which Linux fixed for programs on every machine of ours.
    static final double TICKS_PER_SECOND = 100;

    /// Fields are counted from the one after the name, the state.
    private static final int USER = 11;

    private static final int SYSTEM = 12;
    private static final int CHILD_USER = 13;
    private static final int CHILD_SYSTEM = 14;

    static StatLine parse(String line) {
        // The name is in brackets and may hold anything, brackets and spaces too.
        int open = line.indexOf('(');
        int close = line.lastIndexOf(')');
        if (open < 0 || close < open) {
            throw new IllegalArgumentException("not a line of /proc/PID/stat: " + line);
        }
        var fields = line.substring(close + 1).strip().split(" ", -1);
        if (fields.length <= CHILD_SYSTEM) {
            throw new IllegalArgumentException("a line of /proc/PID/stat with " + fields.length + " fields: " + line);
        }
        return new StatLine(
                line.substring(open + 1, close),
                Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM]),
                Long.parseLong(fields[CHILD_USER]) + Long.parseLong(fields[CHILD_SYSTEM]));
    }
}
