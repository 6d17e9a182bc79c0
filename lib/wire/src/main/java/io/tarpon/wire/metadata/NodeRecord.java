package io.tarpon.wire.metadata;

/// A block service as metadata-svc knows it: what it registered, and its last heartbeat.
public record NodeRecord(String id, NodeRegistration registration, NodeState state, long blocks, long bytes) {}
