package io.tarpon.k8s;

import static io.tarpon.k8s.Mutation.add;
import static io.tarpon.k8s.Mutation.cut;
import static io.tarpon.k8s.Mutation.misspelt;
import static io.tarpon.k8s.Mutation.remove;
import static io.tarpon.k8s.Mutation.rename;
import static io.tarpon.k8s.Mutation.set;
import static io.tarpon.k8s.Mutation.variable;
import static io.tarpon.k8s.Mutation.without;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each mistake in manifests that are right is found, and called by its name.
class MutationTest {
    private static final String POD = "/spec/template/spec";
    private static final String CONTAINER = POD + "/containers/0";
    private static final String SHARD = "Deployment/shard-fn";
    private static final String INGEST = "Deployment/ingest-fn";
    private static final String METADATA = "StatefulSet/metadata-svc";
    private static final String BLOCK = "StatefulSet/block-svc";
    private static final String GATEWAY = "DaemonSet/loader-gateway";
    private static final String LOG = "KafkaTopic/tarpon.metadata";
    private static final String TRIGGER = "/spec/triggers/0/metadata";

    private static final Map<String, String> FOUND = new TreeMap<>();
    private static Manifests right;
    private static Set<String> before;

    static List<Mutation> fields() {
        return List.of(
                rename(BLOCK, "/spec", "replicas", "replicaz", "has no field replicaz"),
                rename(SHARD, CONTAINER, "resources", "ressources", "has no field ressources"),
                rename(LOG, "/spec", "partitions", "partition", "has no field partition"),
                set(
                        "KafkaUser/kafka-shard-fn",
                        "/spec/authorization/acls/0",
                        "operation",
                        "Read",
                        "has no field operation any more"),
                rename("ScaledObject/shard-fn", "/spec", "maxReplicaCount", "maxReplicas", "\"maxReplicas\""),
                rename("NetworkPolicy/block-svc", "/spec/ingress/0", "from", "form", "has no field form"),
                rename(
                        "PodDisruptionBudget/block-svc",
                        "/spec",
                        "maxUnavailable",
                        "maxUnavailble",
                        "has no field maxUnavailble"),
                rename("ServiceMonitor/tarpon", "/spec/endpoints/0", "interval", "intervall", "has no field intervall"),
                rename("Service/ingest-door", CONTAINER, "image", "imge", "has no field imge"),
                set("Service/block-svc", "", "apiVersion", "v2", "no schema is known here of v2 Service"),
                variable(METADATA, "TARPON_METADATA_KAFKA_REPLICAS", "3", "env"));
    }

    static List<Mutation> wiring() {
        return List.of(
                remove(SHARD, "/spec/template/metadata/labels", "app.kubernetes.io/name", SHARD + ": its selector"),
                set(
                        "Service/block-svc",
                        "/spec/selector",
                        "app.kubernetes.io/name",
                        "blocks",
                        "Service/block-svc: selects the pods of []"),
                set(
                        "PodDisruptionBudget/block-svc",
                        "/spec/selector/matchLabels",
                        "app.kubernetes.io/name",
                        "blocks",
                        "PodDisruptionBudget/block-svc: selects the pods of []"),
                set("Service/block-svc", "/spec/ports/0", "targetPort", "https", "has no port https"),
                set("ServiceMonitor/tarpon", "/spec/endpoints/0", "port", "metrics", "has no port named metrics"),
                set("ServiceMonitor/tarpon", "/spec/endpoints/0", "path", "/metrics", "asks /metrics"),
                set(
                        BLOCK,
                        CONTAINER + "/readinessProbe/httpGet",
                        "path",
                        "/health",
                        BLOCK + ": its readinessProbe asks /health"),
                set(
                        BLOCK,
                        CONTAINER + "/livenessProbe/httpGet",
                        "port",
                        "management",
                        BLOCK + ": its livenessProbe asks port management"),
                remove(GATEWAY, CONTAINER, "livenessProbe", GATEWAY + ": has no livenessProbe"),
                set(SHARD, CONTAINER + "/ports/0", "containerPort", "8080", SHARD + ": listens on 7073"),
                set(
                        SHARD,
                        CONTAINER + "/envFrom/0/configMapRef",
                        "name",
                        "stores",
                        SHARD + ": there is no ConfigMap/stores"),
                set(SHARD, POD, "serviceAccountName", "tarpon", SHARD + ": there is no ServiceAccount/tarpon"),
                cut(SHARD, POD + "/volumes", "tarpon-token", SHARD + ": mounts \"token\", which is no volume"),
                variable(
                        SHARD,
                        "TARPON_METADATA_URL",
                        "http://metadata-svc-3.metadata-svc:7071",
                        "where nothing of this render answers"),
                set(BLOCK, "/spec", "serviceName", "blocks", BLOCK + ": there is no headless Service"),
                without("Service/metadata-svc", METADATA + ": there is no headless Service"));
    }

    static List<Mutation> settings() {
        return List.of(
                misspelt(
                        BLOCK,
                        "TARPON_BLOCK_CAPACITY",
                        "TARPON_BLOCK_CAPACTY",
                        BLOCK + ": TARPON_BLOCK_CAPACTY is no setting"),
                misspelt(
                        BLOCK, "TARPON_BLOCK_DIR", "TARPON_INGEST_SPOOL_DIR", BLOCK + ": tarpon.block.dir must be set"),
                variable(BLOCK, "TARPON_NODE_ID", "node-1", BLOCK + ": tarpon.node.id is to be of the pod's"),
                variable(METADATA, "TARPON_BIND", "127.0.0.1", METADATA + ": tarpon.bind is 127.0.0.1"),
                variable(METADATA, "TARPON_METADATA_LOG", "local", METADATA + ": has 3 replicas"),
                add(
                        SHARD,
                        CONTAINER + "/env",
                        "{ name: QUARKUS_REST_PATH, value: /api }",
                        SHARD + ": QUARKUS_REST_PATH is no setting"),
                cut(INGEST, CONTAINER + "/env", "TARPON_TOKEN_FILE", INGEST + ": tarpon.token-file is not set"),
                cut(METADATA, CONTAINER + "/volumeMounts", "\"data\"", METADATA + ": writes below /data/metadata"),
                cut(SHARD, CONTAINER + "/volumeMounts", "\"/tmp\"", SHARD + ": writes below /tmp"),
                variable(
                        METADATA,
                        "TARPON_METADATA_DIR",
                        "/tmp/metadata",
                        METADATA + ": tarpon.metadata.dir is on no volume"),
                variable(BLOCK, "TARPON_BLOCK_CAPACITY", "4000GiB", BLOCK + ": below /disks/0/blocks are"),
                set(SHARD, CONTAINER + "/resources/limits", "memory", "400Mi", SHARD + ": may have 400 MiB"),
                remove(GATEWAY, CONTAINER + "/resources", "limits", GATEWAY + ": container app has no limits.memory"),
                set(GATEWAY, POD, "terminationGracePeriodSeconds", "20", GATEWAY + ": is killed after PT20S"),
                remove(GATEWAY, CONTAINER, "lifecycle", GATEWAY + ": no preStop.sleep"),
                set(
                        "PodDisruptionBudget/block-svc",
                        "/spec",
                        "maxUnavailable",
                        "0",
                        "so that no machine can be drained"),
                without("PodDisruptionBudget/metadata-svc", METADATA + ": no PodDisruptionBudget"));
    }

    static List<Mutation> kafka() {
        return List.of(
                set(
                        "ScaledObject/shard-fn",
                        "/spec",
                        "maxReplicaCount",
                        "49",
                        "ScaledObject/shard-fn: up to 49 pods share"),
                set(
                        "ScaledObject/shard-fn",
                        TRIGGER,
                        "consumerGroup",
                        "shards",
                        "ScaledObject/shard-fn: the group of shard-fn is"),
                set(
                        "ScaledObject/shard-fn",
                        TRIGGER,
                        "topic",
                        "tarpon.uploads",
                        "ScaledObject/shard-fn: shard-fn reads"),
                set("ScaledObject/shard-fn", TRIGGER, "lagTreshold", "\"2\"", "has no setting lagTreshold"),
                set("ScaledObject/shard-fn", TRIGGER, "offsetResetPolicy", "latest", "never sleeps"),
                set("ScaledObject/shard-fn", "/spec/scaleTargetRef", "name", "shards", "there is no Deployment/shards"),
                set(SHARD, "/spec", "replicas", "1", SHARD + " says replicas"),
                set(LOG, "/spec", "partitions", "2", LOG + ": has 2 partitions"),
                set(LOG, "/spec/config", "cleanup.policy", "compact", LOG + ": is compacted"),
                set(LOG, "/spec/config", "min.insync.replicas", "1", LOG + ": min.insync.replicas is 1"),
                set(LOG, "/spec/config", "retention.ms", "604800000", LOG + ": retention.ms is 604800000"),
                set(LOG, "/spec/config", "retention.msec", "-1", LOG + ": no broker takes its settings"),
                without("KafkaTopic/tarpon.plans.dlq", "KafkaTopic/tarpon.plans.dlq: is not there"),
                remove(LOG, "/metadata/labels", "strimzi.io/cluster", LOG + ": names no cluster"),
                cut(
                        "KafkaUser/kafka-metadata-svc",
                        "/spec/authorization/acls",
                        "tarpon.events",
                        "KafkaUser/kafka-metadata-svc: may not topic tarpon.events Write"),
                add(
                        "KafkaUser/kafka-shard-fn",
                        "/spec/authorization/acls/0/operations",
                        "Alter",
                        "KafkaUser/kafka-shard-fn: may topic tarpon.plans Alter"),
                set(
                        "KafkaUser/kafka-shard-fn",
                        "/spec/authorization/acls/0/resource",
                        "patternType",
                        "prefix",
                        "is to name one thing"),
                cut(
                        "KafkaUser/kafka-keda",
                        "/spec/authorization/acls",
                        "shard-fn",
                        "KafkaUser/kafka-keda: may not group shard-fn Describe"),
                without("KafkaUser/kafka-ingest-fn", "KafkaUser/ingest-fn: is not there"));
    }

    static List<Mutation> safety() {
        var security = CONTAINER + "/securityContext";
        var account = "{ apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: any }, rules: [] }";
        return List.of(
                remove(
                        "NetworkPolicy/block-svc",
                        "/spec/ingress/0",
                        "from",
                        "NetworkPolicy/block-svc: a rule for ingress names no peers"),
                add(
                        "NetworkPolicy/block-svc",
                        "/spec/ingress/0/from",
                        "{ podSelector: {} }",
                        BLOCK + ": any pod of the namespace may talk"),
                add(
                        "NetworkPolicy/shard-fn",
                        "/spec/egress/0/to",
                        "{ namespaceSelector: {} }",
                        SHARD + ": may talk to port 7071 of any pod"),
                set(
                        "NetworkPolicy/default-deny",
                        "/spec",
                        "policyTypes",
                        "[Egress]",
                        SHARD + ": no NetworkPolicy denies all its ingress"),
                set(
                        "NetworkPolicy/loader-gateway",
                        "/spec/egress/0/ports/0",
                        "port",
                        "7082",
                        GATEWAY + ": no NetworkPolicy allows egress to " + BLOCK),
                set(
                        "NetworkPolicy/metadata-svc",
                        "/spec/ingress/0",
                        "from",
                        "[{ podSelector: { matchLabels: { app.kubernetes.io/name: block-svc } } }]",
                        METADATA + ": no NetworkPolicy allows ingress from " + SHARD),
                without("NetworkPolicy/dns", SHARD + ": no NetworkPolicy allows egress to DNS"),
                without("NetworkPolicy/kafka", METADATA + ": no NetworkPolicy allows egress to Strimzi's brokers"),
                set(SHARD, POD, "automountServiceAccountToken", "true", SHARD + ": mounts the token"),
                set(SHARD, security, "allowPrivilegeEscalation", "true", SHARD + ": container app may escalate"),
                set(
                        SHARD,
                        security,
                        "readOnlyRootFilesystem",
                        "false",
                        SHARD + ": container app may write to its root"),
                set(
                        SHARD,
                        security,
                        "capabilities",
                        "{ drop: [ALL], add: [NET_ADMIN] }",
                        SHARD + ": container app does not drop"),
                remove(SHARD, POD + "/securityContext", "seccompProfile", SHARD + ": container app has no seccomp"),
                remove(SHARD, POD + "/securityContext", "runAsNonRoot", SHARD + ": container app may run as root"),
                set(
                        SHARD,
                        CONTAINER + "/ports/0",
                        "hostPort",
                        "7073",
                        SHARD + ": container app has a port of the machine"),
                set(SHARD, POD, "hostNetwork", "true", SHARD + ": has hostNetwork"),
                add(
                        SHARD,
                        POD + "/volumes",
                        "{ name: logs, hostPath: { path: /var/log } }",
                        SHARD + ": its volume logs is of kind hostPath"),
                set(SHARD, CONTAINER, "image", "registry.example/tarpon/shard-fn:latest", "is of no fixed image"),
                new Mutation("a Role", manifests -> with(manifests, account), "Role/any: gives rights in the cluster"));
    }

    private static Manifests with(Manifests manifests, String object) {
        var items = new ArrayList<>(manifests.items());
        items.addAll(Manifests.read(object));
        return new Manifests(manifests.overlay(), items);
    }

    @BeforeAll
    static void render() {
        right = Manifests.render("knative");
        before = new HashSet<>(findings(right));
    }

    @ParameterizedTest
    @MethodSource({"fields", "wiring", "settings", "kafka", "safety"})
    void isFound(Mutation mutation) {
        var found = new TreeSet<>(findings(mutation.change().apply(right.copy())));
        found.removeAll(before);
        var own = found.stream().filter(it -> it.contains(mutation.finding())).findFirst();
        assertThat(own).as("among " + found).isPresent();
        FOUND.put(mutation.name(), own.get());
    }

    private static List<String> findings(Manifests manifests) {
        return ManifestsTest.CHECKS.stream()
                .flatMap(check -> check.findings(manifests).stream())
                .toList();
    }

    @AfterAll
    static void print() {
        FOUND.forEach((mutation, finding) -> System.out.println("| " + mutation + " | " + finding + " |"));
    }
}
