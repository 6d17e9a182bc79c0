package io.tarpon.servers.kafka;

import io.tarpon.servers.Arguments;
import io.tarpon.servers.UsageException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// A topic that is there when the broker is ready, written `name:partitions`.
record TopicSpec(String name, int partitions) {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    private static final int MOST_PARTITIONS = 1_000;

    static List<TopicSpec> parse(List<String> texts) throws UsageException {
        List<TopicSpec> topics = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String text : texts) {
            TopicSpec topic = parse(text);
            if (!seen.add(topic.name())) {
                throw new UsageException("--topic " + topic.name() + " is given twice");
            }
            topics.add(topic);
        }
        return List.copyOf(topics);
    }

    private static TopicSpec parse(String text) throws UsageException {
        int colon = text.indexOf(':');
        if (colon < 0 || !NAME.matcher(text.substring(0, colon)).matches()) {
            throw new UsageException(
                    "--topic must be name:partitions with a name of [a-zA-Z0-9._-], not \"" + text + "\"");
        }
        String name = text.substring(0, colon);
        long partitions =
                Arguments.bounded("partitions of --topic " + name, text.substring(colon + 1), 1, MOST_PARTITIONS);
        return new TopicSpec(name, (int) partitions);
    }
}
