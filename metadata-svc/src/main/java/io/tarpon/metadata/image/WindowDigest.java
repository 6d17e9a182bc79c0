package io.tarpon.metadata.image;

/// What the entries of one window of the log did to an image, in few letters: replicas that come to the same image have
/// the same one.
///
/// @param log id of the log; empty where it has none
/// @param form of what was summed; only those of one form and one log can be compared
/// @param end the window's last entry, a multiple of [Windows#ENTRIES]
/// @param sum 16 lower-case hex digits
public record WindowDigest(String log, int form, long end, String sum) {
    /// Whether both tell of the same entries in the same form.
    public boolean isComparable(WindowDigest other) {
        return log.equals(other.log) && form == other.form && end == other.end;
    }
}
