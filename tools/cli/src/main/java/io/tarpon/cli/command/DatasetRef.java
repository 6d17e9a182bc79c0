package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;

/// `demo` or `demo@v2`, as people write it; without a version the latest sealed one is meant.
record DatasetRef(DatasetName dataset, String version) {
    static DatasetRef parse(String text) {
        var at = text.indexOf('@');
        try {
            var dataset = new DatasetName(at < 0 ? text : text.substring(0, at));
            var version = at < 0 ? "latest" : text.substring(at + 1);
            if (!version.equals("latest")) {
                VersionId.parse(version);
            }
            return new DatasetRef(dataset, version);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()), "write it as: demo or demo@v1");
        }
    }
}
