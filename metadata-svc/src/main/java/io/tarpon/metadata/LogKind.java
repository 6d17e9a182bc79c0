package io.tarpon.metadata;

/// Where the metadata log is.
public enum LogKind {
    /// On the disk of one machine.
    LOCAL,
    /// In a topic that any number of replicas share.
    KAFKA
}
