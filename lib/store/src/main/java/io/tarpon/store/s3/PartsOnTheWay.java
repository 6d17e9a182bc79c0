package io.tarpon.store.s3;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/// The parts of one multipart upload that are being sent, each by a virtual thread of its own, and those that were.
///
/// Owned by the writer's thread; a sender shares nothing with it but its part's buffer, which it gives back through
/// `ended`. Senders never outnumber the buffers, so `ended` is bounded by them.
final class PartsOnTheWay {
    private static final Logger LOG = Logger.getLogger(PartsOnTheWay.class);

    private final Bucket bucket;
    private final String key;
    private final String objectKey;
    private final String uploadId;
    private final int mostBuffers;
    private final ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();
    private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
    private final List<CompletedPart> done = new ArrayList<>();

    /// Every buffer that came back is used again: one that is dropped may be held by its sender a moment longer.
    private final Deque<ByteBuffer> idle = new ArrayDeque<>();

    private int number;
    private int onTheWay;

    PartsOnTheWay(Bucket bucket, String key, String objectKey, String uploadId) {
        this.bucket = bucket;
        this.key = key;
        this.objectKey = objectKey;
        this.uploadId = uploadId;
        this.mostBuffers = bucket.limits().config().uploadParts();
    }

    /// A sender's last word: the part as the server took it, or why not.
    private record Ended(
            ByteBuffer part,
            @Nullable CompletedPart taken,
            @Nullable Throwable failure) {}

    String uploadId() {
        return uploadId;
    }

    /// Sends a full part and returns an empty buffer for the next, once one is free.
    ///
    /// @throws IOException also when an earlier part could not be sent
    ByteBuffer send(ByteBuffer part, PartSizes sizes) throws IOException {
        start(part);
        int wanted = sizes.bytesOfPart(number + 1);
        if (onTheWay >= mostBuffers) {
            idle.add(await());
        }
        for (Ended more = ended.poll(); more != null; more = ended.poll()) {
            idle.add(account(more));
        }
        idle.removeIf(buffer -> buffer.capacity() != wanted);
        ByteBuffer free = idle.poll();
        return free == null ? ByteBuffer.allocate(wanted) : free.clear();
    }

    void sendLast(ByteBuffer part) throws IOException {
        start(part);
    }

    /// Every part in order, once all have been taken.
    List<CompletedPart> awaitAll() throws IOException {
        while (onTheWay > 0) {
            await();
        }
        done.sort(Comparator.comparingInt(CompletedPart::partNumber));
        return done;
    }

    /// Leaves no sender. The parts are thrown away only when none can arrive any more: a server keeps those that come
    /// after.
    void close(boolean throwAway) {
        senders.shutdownNow();
        try {
            long longest = bucket.limits().callTimeout(1).toNanos();
            if (!senders.awaitTermination(longest, TimeUnit.NANOSECONDS)) {
                LOG.warnf("parts still on their way bucket=%s key=%s uploadId=%s", bucket, objectKey, uploadId);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (throwAway) {
            throwAway();
        }
    }

    private void start(ByteBuffer part) throws IOException {
        number++;
        if (number > PartSizes.MAX_PARTS) {
            throw new IOException(key + " needs more than " + PartSizes.MAX_PARTS + " parts: raise part-bytes");
        }
        int partNumber = number;
        var request = UploadPartRequest.builder()
                .bucket(bucket.name())
                .key(objectKey)
                .uploadId(uploadId)
                .partNumber(partNumber)
                .overrideConfiguration(bucket.deadlines(
                        Math.ceilDiv(part.position(), bucket.limits().config().partBytes())))
                .build();
        onTheWay++;
        senders.execute(() -> ended.add(upload(part, request)));
    }

    private Ended upload(ByteBuffer part, UploadPartRequest request) {
        String what = "write part " + request.partNumber() + " of " + key;
        try {
            var answer = bucket.demand(what, () -> bucket.client().uploadPart(request, PartBody.of(part)));
            var taken = CompletedPart.builder()
                    .partNumber(request.partNumber())
                    .eTag(PartBody.requireETag(what, answer.eTag()))
                    .build();
            return new Ended(part, taken, null);
        } catch (IOException | RuntimeException | Error e) {
            // An Error too: the writer waits for every sender's last word.
            return new Ended(part, null, e);
        }
    }

    /// Waits for any part to end; returns its buffer.
    private ByteBuffer await() throws IOException {
        try {
            return account(ended.take());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while parts of " + key + " were on their way");
        }
    }

    private ByteBuffer account(Ended part) throws IOException {
        onTheWay--;
        if (part.taken() == null) {
            throw new IOException(
                    "upload " + key + " in " + bucket + ": a part was not taken: "
                            + Objects.requireNonNull(part.failure()).getMessage(),
                    part.failure());
        }
        done.add(part.taken());
        return part.part();
    }

    private void throwAway() {
        try {
            bucket.call(
                    "throw the upload of " + key + " away",
                    () -> bucket.client()
                            .abortMultipartUpload(request ->
                                    request.bucket(bucket.name()).key(objectKey).uploadId(uploadId)));
        } catch (IOException e) {
            // Parts are left behind; ObjectStore.abandoned finds them.
            LOG.warnf(
                    "upload not thrown away bucket=%s key=%s uploadId=%s error=%s",
                    bucket.name(), objectKey, uploadId, e.getMessage());
        }
    }
}
