package io.tarpon.metadata;

import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.wire.event.TarponEvent;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/// One line for each committed event, with the trace it belongs to.
final class EventLines implements Consumer<CommittedEvent> {
    private static final Logger LOG = Logger.getLogger("io.tarpon.metadata.events");
    private static final int TRACE_FROM = 3;
    private static final int TRACE_TO = 35;

    @Override
    public void accept(CommittedEvent committed) {
        if (!LOG.isInfoEnabled()) {
            return;
        }
        var line = line(committed.event()) + " id=" + committed.id();
        var trace = committed.traceparent();
        LOG.info(trace == null ? line : line + " trace=" + trace.substring(TRACE_FROM, TRACE_TO));
    }

    static String line(TarponEvent event) {
        var of = " version=" + event.dataset() + "/" + event.version();
        return switch (event) {
            case TarponEvent.VersionPlanned planned ->
                "version planned" + of + " samples=" + planned.samples() + " bytes=" + planned.bytes();
            case TarponEvent.ShardSealed sealed ->
                "shard sealed shard=" + sealed.ref() + " samples=" + sealed.samples() + " bytes=" + sealed.bytes()
                        + " sha256=" + sealed.sha256();
            case TarponEvent.VersionSealed sealed ->
                "version sealed" + of + " samples=" + sealed.samples() + " bytes=" + sealed.bytes();
            case TarponEvent.VersionFailed failed -> "version failed" + of + " reason=" + failed.reason();
            case TarponEvent.VersionRemoved removed -> "version removed" + of + " reason=" + removed.reason();
            case TarponEvent.ShardPlanned planned -> "shard planned shard=" + planned.ref();
        };
    }
}
