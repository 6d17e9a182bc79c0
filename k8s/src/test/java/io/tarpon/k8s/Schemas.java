package io.tarpon.k8s;

import static java.util.Map.entry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import io.strimzi.api.kafka.model.kafka.Kafka;
import io.strimzi.api.kafka.model.nodepool.KafkaNodePool;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.user.KafkaUser;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Every object is of a kind that is known here, has the fields of that kind and no others, and values of their types.
/// A cluster drops an unknown field with a warning at best.
final class Schemas implements Check {
    private static final Map<String, Class<?>> KINDS = Map.ofEntries(
            entry("v1/Namespace", Namespace.class),
            entry("v1/ConfigMap", ConfigMap.class),
            entry("v1/Secret", Secret.class),
            entry("v1/Service", Service.class),
            entry("v1/ServiceAccount", ServiceAccount.class),
            entry("v1/PersistentVolumeClaim", PersistentVolumeClaim.class),
            entry("v1/LimitRange", LimitRange.class),
            entry("v1/ResourceQuota", ResourceQuota.class),
            entry("apps/v1/Deployment", Deployment.class),
            entry("apps/v1/StatefulSet", StatefulSet.class),
            entry("apps/v1/DaemonSet", DaemonSet.class),
            entry("batch/v1/Job", Job.class),
            entry("batch/v1/CronJob", CronJob.class),
            entry("autoscaling/v2/HorizontalPodAutoscaler", HorizontalPodAutoscaler.class),
            entry("networking.k8s.io/v1/Ingress", Ingress.class),
            entry("networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class),
            entry("policy/v1/PodDisruptionBudget", PodDisruptionBudget.class),
            entry("monitoring.coreos.com/v1/ServiceMonitor", ServiceMonitor.class),
            entry("monitoring.coreos.com/v1/PodMonitor", PodMonitor.class),
            entry("monitoring.coreos.com/v1/PrometheusRule", PrometheusRule.class),
            entry("kafka.strimzi.io/v1/Kafka", Kafka.class),
            entry("kafka.strimzi.io/v1/KafkaNodePool", KafkaNodePool.class),
            entry("kafka.strimzi.io/v1/KafkaTopic", KafkaTopic.class),
            entry("kafka.strimzi.io/v1/KafkaUser", KafkaUser.class),
            entry("keda.sh/v1alpha1/ScaledObject", Keda.ScaledObject.class),
            entry("keda.sh/v1alpha1/TriggerAuthentication", Keda.TriggerAuthentication.class),
            entry("serving.knative.dev/v1/Service", io.fabric8.knative.serving.v1.Service.class),
            entry("sources.knative.dev/v1/KafkaSource", io.fabric8.knative.sources.v1.KafkaSource.class),
            entry("eventing.knative.dev/v1/Broker", io.fabric8.knative.eventing.v1.Broker.class),
            entry("eventing.knative.dev/v1/Trigger", io.fabric8.knative.eventing.v1.Trigger.class));

    private static final Pattern FIRST_WORDS = Pattern.compile("^[^(]+(?= \\()");

    private static final ObjectMapper MAPPER = mapper();

    @Override
    public String name() {
        return "schemas";
    }

    @Override
    public List<String> findings(Manifests manifests) {
        var findings = new ArrayList<String>();
        for (var item : manifests.items()) {
            var type = KINDS.get(item.apiVersion() + "/" + item.kind());
            if (type == null) {
                findings.add(item.title() + ": no schema is known here of " + item.apiVersion() + " " + item.kind());
                continue;
            }
            try {
                unknown(MAPPER.treeToValue(item.json(), type), item.title() + ": ", findings);
            } catch (JsonMappingException e) {
                // What follows the first words is about the model's classes.
                var why = FIRST_WORDS.matcher(e.getOriginalMessage());
                findings.add(item.title() + ": " + path(e) + " " + (why.find() ? why.group() : e.getOriginalMessage()));
            } catch (JsonProcessingException e) {
                findings.add(item.title() + ": " + e.getOriginalMessage());
            }
        }
        return findings;
    }

    private static String path(JsonMappingException e) {
        return e.getPath().stream()
                .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                .collect(Collectors.joining())
                .replaceFirst("^\\.", "");
    }

    private static ObjectMapper mapper() {
        var mapper = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS);
        // The server takes `value: 1` of a variable for a mistake, and Jackson for "1".
        for (var shape : List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)) {
            mapper.withCoercionConfig(LogicalType.Textual, config -> config.setCoercion(shape, CoercionAction.Fail));
        }
        return mapper.build();
    }

    /// The models keep what they do not know in `additionalProperties`.
    private static void unknown(Object model, String at, List<String> findings) {
        switch (model) {
            case null -> {}
            case Collection<?> many -> {
                int index = 0;
                for (var one : many) {
                    unknown(one, at + "[" + index++ + "]", findings);
                }
            }
            case Map<?, ?> many -> many.forEach((key, one) -> unknown(one, at + "." + key, findings));
            default -> fields(model, at, findings);
        }
    }

    private static void fields(Object model, String at, List<String> findings) {
        if (!isModel(model.getClass())) {
            return;
        }
        for (Class<?> type = model.getClass(); type != null && isModel(type); type = type.getSuperclass()) {
            for (var field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers())) {
                    continue;
                }
                try {
                    field.setAccessible(true);
                    var value = field.get(model);
                    if (field.getName().equals("additionalProperties") && value instanceof Map<?, ?> others) {
                        others.keySet().forEach(name -> findings.add(at + " has no field " + name));
                    } else {
                        if (value != null && isGone(type, field.getName())) {
                            findings.add(at + " has no field " + field.getName() + " any more");
                        }
                        var dot = at.endsWith(" ") ? "" : ".";
                        unknown(value, at + dot + field.getName(), findings);
                    }
                } catch (IllegalAccessException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    /// Strimzi's models still have what its newest version has not.
    private static boolean isGone(Class<?> type, String field) {
        var getter = "get" + field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1);
        try {
            return type.getName().startsWith("io.strimzi.")
                    && type.getMethod(getter).isAnnotationPresent(Deprecated.class);
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static boolean isModel(Class<?> type) {
        return !type.isEnum()
                && (type.getName().startsWith("io.fabric8.")
                        || type.getName().startsWith("io.strimzi.")
                        || type.getName().startsWith(Keda.class.getName()));
    }

    static boolean isTrue(JsonNode node) {
        return node.isBoolean() && node.asBoolean();
    }
}
