package io.tarpon.testkit.power;

import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/// An open file, or folder, of a [PowerCutDisk].
final class DiskChannel extends FileChannel {
    private final PowerCutDisk disk;
    private final Node node;
    private int position;

    DiskChannel(PowerCutDisk disk, Node node) {
        this.disk = disk;
        this.node = node;
    }

    @Override
    public int read(ByteBuffer target) {
        var count = read(target, position);
        position += Math.max(0, count);
        return count;
    }

    @Override
    public int read(ByteBuffer target, long from) {
        var bytes = node.bytes();
        if (from >= bytes.length) {
            return -1;
        }
        var count = (int) Math.min(target.remaining(), bytes.length - from);
        target.put(bytes, (int) from, count);
        return count;
    }

    @Override
    public int write(ByteBuffer source) {
        var count = write(source, position);
        position += count;
        return count;
    }

    @Override
    public int write(ByteBuffer source, long at) {
        var bytes = new byte[source.remaining()];
        source.get(bytes);
        disk.write(node, (int) at, bytes);
        return bytes.length;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        long written = 0;
        for (int i = offset; i < offset + length; i++) {
            written += write(sources[i]);
        }
        return written;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException("scattering reads");
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public FileChannel position(long next) {
        position = (int) next;
        return this;
    }

    @Override
    public long size() {
        return node.bytes().length;
    }

    @Override
    public FileChannel truncate(long size) {
        throw new UnsupportedOperationException("truncation");
    }

    @Override
    public void force(boolean metaData) {
        disk.force(node);
    }

    @Override
    public long transferTo(long from, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException("transfers");
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long at, long count) {
        throw new UnsupportedOperationException("transfers");
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long from, long size) {
        throw new UnsupportedOperationException("maps");
    }

    @Override
    public FileLock lock(long from, long size, boolean isShared) {
        return tryLock(from, size, isShared);
    }

    /// Had at once: one process alone uses the disk.
    @Override
    public FileLock tryLock(long from, long size, boolean isShared) {
        return new FileLock(this, from, size, isShared) {
            @Override
            public boolean isValid() {
                return DiskChannel.this.isOpen();
            }

            @Override
            public void release() {
                // With the channel.
            }
        };
    }

    @Override
    protected void implCloseChannel() {
        // Nothing is open.
    }
}
