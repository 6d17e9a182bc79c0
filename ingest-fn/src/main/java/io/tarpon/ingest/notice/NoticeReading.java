package io.tarpon.ingest.notice;

import java.util.List;

/// What a message turned out to be.
public sealed interface NoticeReading {
    /// A notification, with as many records as it had, none perhaps.
    ///
    /// @param flaws of records that could not be read, at most [#MAX_FLAWS]; the others are as good as without them
    record Notices(List<Notice> notices, List<Flaw> flaws) implements NoticeReading {
        public static final int MAX_FLAWS = 16;

        public Notices {
            notices = List.copyOf(notices);
            flaws = List.copyOf(flaws);
        }
    }

    /// Something that stores and their channels send, in which nothing happened to an object.
    record Nothing(String what) implements NoticeReading {}

    /// A structured CloudEvent, not in an envelope.
    record CloudEvent() implements NoticeReading {}

    record Unreadable(Flaw flaw) implements NoticeReading {}
}
