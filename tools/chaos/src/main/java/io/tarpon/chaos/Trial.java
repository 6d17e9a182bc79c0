package io.tarpon.chaos;

import java.util.List;

/// A cluster under trouble for a while, and what must hold after it.
public interface Trial {
    /// Afterwards every process of the cluster runs again, whatever happened.
    TrialResult run();

    /// For a cluster that goes on after the trial: the commands that remove what it leaves behind.
    List<String> leave();
}
