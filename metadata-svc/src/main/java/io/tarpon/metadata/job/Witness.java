package io.tarpon.metadata.job;

/// Is told how far a job has come.
public interface Witness {
    /// What a job has done when it may be killed next.
    enum Step {
        READ,
        TOPIC_SHUT,
        TOPIC_FOUND,
        TOPIC_OPENED,
        COPIED,
        COMPARED,
        CUT,
        MARKED,
        SWITCHED
    }

    void reached(Step step);

    /// @param what is being done, as one word
    void at(String what, long done, long total);

    /// Something was left undone that changes nothing of what was asked for.
    default void warn(String what) {}
}
