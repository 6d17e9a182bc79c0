package io.tarpon.ingest.notice;

import java.util.Arrays;
import java.util.Optional;

/// The stores whose notifications are understood, and all that differs between them (events.md 1.9). Who speaks shows
/// in `eventSource`; nothing else is guessed from.
public enum Dialect {
    AWS("aws", "aws:s3", KeyCoding.FORM, Sequencing.PADDED_HEX, false),
    /// AWS by way of EventBridge. Its keys are raw, as far as is known; a switch says otherwise.
    EVENT_BRIDGE("event-bridge", "aws.s3", KeyCoding.RAW, Sequencing.PADDED_HEX, false),
    /// Its sequencer is the object's modification time: later events about one version have the same. Leaves out a size
    /// of 0.
    MINIO("minio", "minio:s3", KeyCoding.FORM, Sequencing.NONE, true),
    RUSTFS("rustfs", "rustfs:s3", KeyCoding.FORM, Sequencing.NONE, false),
    CEPH("ceph", "ceph:s3", KeyCoding.RAW, Sequencing.CEPH_CLOCK, false);

    private static final String CREATED = "ObjectCreated:";

    private final String wireName;
    private final String eventSource;
    private final KeyCoding keys;
    private final Sequencing sequencing;
    private final boolean isMissingSizeZero;

    Dialect(String wireName, String eventSource, KeyCoding keys, Sequencing sequencing, boolean isMissingSizeZero) {
        this.wireName = wireName;
        this.eventSource = eventSource;
        this.keys = keys;
        this.sequencing = sequencing;
        this.isMissingSizeZero = isMissingSizeZero;
    }

    /// The dialect of a record in `Records`.
    static Optional<Dialect> ofRecord(String eventSource) {
        return Arrays.stream(values())
                .filter(dialect -> dialect != EVENT_BRIDGE && dialect.eventSource.equals(eventSource))
                .findFirst();
    }

    /// As metrics and log lines call it.
    public String wireName() {
        return wireName;
    }

    String eventSource() {
        return eventSource;
    }

    KeyCoding keys() {
        return keys;
    }

    Sequencing sequencing() {
        return sequencing;
    }

    /// Whether a create without a size means an object of no bytes; elsewhere it means that nothing is known.
    boolean isMissingSizeZero() {
        return isMissingSizeZero;
    }

    /// What an event of that name, without `s3:`, says happened to the object.
    Notice.Op op(String eventName) {
        if (eventName.startsWith("ObjectRemoved:") || eventName.equals("Object Deleted")) {
            return Notice.Op.REMOVED;
        }
        return switch (this) {
            case AWS -> eventName.startsWith(CREATED) ? Notice.Op.CREATED : Notice.Op.OTHER;
            case EVENT_BRIDGE -> eventName.equals("Object Created") ? Notice.Op.CREATED : Notice.Op.OTHER;
            case MINIO, RUSTFS -> create(eventName, Notice.Op.CREATED);
            // Also sent when an upload in parts is begun: then there is no object yet, and perhaps never.
            case CEPH -> create(eventName, Notice.Op.PERHAPS_CREATED);
        };
    }

    /// The creates that are none, such as `ObjectCreated:PutTagging`, are tags, holds and retention.
    private static Notice.Op create(String eventName, Notice.Op post) {
        return switch (eventName) {
            case CREATED + "Put", CREATED + "Copy", CREATED + "CompleteMultipartUpload" -> Notice.Op.CREATED;
            case CREATED + "Post" -> post;
            default -> Notice.Op.OTHER;
        };
    }
}
