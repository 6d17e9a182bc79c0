package io.tarpon.wire.metadata;

import java.util.List;

/// Every dataset, by name.
public record DatasetList(List<DatasetRecord> datasets) {
    public DatasetList {
        datasets = List.copyOf(datasets);
    }
}
