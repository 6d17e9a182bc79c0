package io.tarpon.gateway.order;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;

/// What one stream of an epoch is of.
///
/// @param samples of the whole body, whatever range of it is sent
public record EpochPart(
        DatasetName dataset, VersionId version, SplitName split, long seed, long epoch, Share share, long samples) {}
