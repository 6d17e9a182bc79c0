package io.tarpon.metadata.image;

/// Something asked of the state. Every command is idempotent: once its effect is there, it decides to
/// [Decision.AlreadyApplied] and gives the same answer.
///
/// @param <A> what it answers
public sealed interface Command<A>
        permits RaiseLevel,
                RegisterDataset,
                RemoveDataset,
                BeginVersion,
                VersionCommand,
                SealShard,
                ForgetVersion,
                ForgetNode,
                JoinNode,
                LeaveNode {

    /// Names the command and its content in the log.
    String idempotenceKey();

    /// What it competes for, as text: proposals of one process with the same scope take turns.
    String scope();

    /// Pure. Throws a `TarponException` where it names what the image does not know.
    Decision decide(Image image);

    /// Reads the answer from an image in which the effect is there.
    A answer(Image image);
}
