package io.tarpon.servers.kafka;

import io.tarpon.servers.StartException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;

/// Creates the topics that are missing. A topic that is there keeps its partitions, whatever is asked now.
final class Topics {
    private static final long SECONDS = 30;

    private Topics() {}

    static void create(String bootstrap, List<TopicSpec> wanted) throws StartException, InterruptedException {
        if (wanted.isEmpty()) {
            return;
        }
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap))) {
            Set<String> present = admin.listTopics().names().get(SECONDS, TimeUnit.SECONDS);
            List<NewTopic> missing = wanted.stream()
                    .filter(topic -> !present.contains(topic.name()))
                    .map(topic -> new NewTopic(topic.name(), topic.partitions(), (short) 1))
                    .toList();
            admin.createTopics(missing).all().get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new StartException("cannot create topics: " + e.getMessage(), e);
        }
    }
}
