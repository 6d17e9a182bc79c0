package io.tarpon.service.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StaticMembershipTest {
    @Test
    void twoConsumersOfOneProcessAndTwoProcessesOfOneHostHaveIdsOfTheirOwn() {
        assertThat(StaticMembership.id("host", "a", "kafka-consumer-plans$1"))
                .isEqualTo("host-a-kafka-consumer-plans-1");
        assertThat(StaticMembership.id("host", "a", "kafka-consumer-plans$2"))
                .isEqualTo("host-a-kafka-consumer-plans-2");
        assertThat(StaticMembership.id("host", "b", "kafka-consumer-plans$1"))
                .isEqualTo("host-b-kafka-consumer-plans-1");
    }
}
