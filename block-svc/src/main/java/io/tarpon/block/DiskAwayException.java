package io.tarpon.block;

import java.io.IOException;

/// A disk did not answer in time, or has not for a while and is not asked. It says nothing about the bytes on it.
final class DiskAwayException extends IOException {
    private static final long serialVersionUID = 1L;

    DiskAwayException(String folder) {
        super("the disk of " + folder + " does not answer");
    }
}
