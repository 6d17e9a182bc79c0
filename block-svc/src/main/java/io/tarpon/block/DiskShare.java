package io.tarpon.block;

import java.time.Clock;
import java.time.Duration;

/// What one disk has of the node's means: the node's own where it has one disk.
///
/// @param capacityBytes of its block files together
/// @param diskReserveBytes left free on it
/// @param openFiles held open
/// @param fileLook time for which an open file is believed
/// @param deadline for one answer of the disk
/// @param readThreads that open and verify files
/// @param readQueue opens and verifications that wait
/// @param fillThreads that write blocks
/// @param fillQueue fills that wait
/// @param wantedFills written at a time before anybody reads them
/// @param dropQueue requests to forget blocks that wait
record DiskShare(
        Clock clock,
        long capacityBytes,
        long diskReserveBytes,
        int openFiles,
        Duration fileLook,
        Duration deadline,
        int readThreads,
        int readQueue,
        int fillThreads,
        int fillQueue,
        int wantedFills,
        int dropQueue) {
    private static final int DROPS_WAITING = 16;

    /// Capacity and open files in equal parts; threads and queues are for each disk, since one that hangs keeps its
    /// own. Of the places for wanted blocks a disk takes two thirds at most where there are others.
    static DiskShare of(BlockConfig.Block block, int disks) {
        var wanted = disks == 1 ? block.wantedFills() : Math.max(1, block.wantedFills() * 2 / 3);
        return new DiskShare(
                Clock.systemUTC(),
                block.capacity().bytes() / disks,
                block.diskReserve().bytes(),
                Math.max(1, block.openFiles() / disks),
                block.fileLook(),
                block.diskDeadline(),
                block.verifyThreads(),
                block.verifyQueue(),
                block.fillConcurrency(),
                block.fillQueue(),
                wanted,
                DROPS_WAITING);
    }
}
