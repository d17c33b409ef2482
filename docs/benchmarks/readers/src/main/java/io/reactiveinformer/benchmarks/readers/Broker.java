package io.reactiveinformer.benchmarks.readers;

import java.io.IOException;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** A broker of Kafka with its controller. Answers no questions. */
final class Broker {

    private Broker() {}

    public static void main(String... arguments) throws IOException {
        var kafka = new EmbeddedKafkaKraftBroker(1, 1);
        kafka.afterPropertiesSet();
        System.out.println("@" + kafka.getBrokersAsString());
        while (System.in.read() >= 0) {
            // until the comparison ends
        }
        kafka.destroy();
    }
}
