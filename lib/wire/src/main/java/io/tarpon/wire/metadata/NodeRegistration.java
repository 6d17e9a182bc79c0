package io.tarpon.wire.metadata;

import java.util.List;
import java.util.regex.Pattern;

/// A block service that joins.
///
/// @param url where it answers, `http://host:port`
/// @param host the machine it is on; a gateway on the same one reads its files
/// @param zone its failure domain
/// @param weight its share of the blocks, relative to others; capacity in GiB is a good one
/// @param dataDirs its data directories, in any order: each says by its `FOLDER` file which blocks belong into it
public record NodeRegistration(
        String url, String host, String zone, double weight, long capacityBytes, List<String> dataDirs) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    public NodeRegistration {
        dataDirs = List.copyOf(dataDirs);
        if (url.isBlank() || host.isBlank() || zone.isBlank()) {
            throw new IllegalArgumentException("a node has a url, a host and a zone");
        }
        if (!(weight > 0) || weight > 1e12) {
            throw new IllegalArgumentException("node weight " + weight + " is not positive");
        }
        if (capacityBytes < 1 || dataDirs.isEmpty()) {
            throw new IllegalArgumentException("a node has capacity and at least one data directory");
        }
    }
    /// The id back, or [IllegalArgumentException]: a service that would be refused for ever had better not start.
    public static String requireId(String id) {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("node id '" + id.replaceAll("\\p{Cntrl}", "?") + "' must match " + ID);
        }
        return id;
    }
}
