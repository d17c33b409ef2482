package io.reactiveinformer.spring.slices;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.store.Index;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An application as users write it, of which the tests beside it start slices. */
@SpringBootApplication
class SlicedApplication {

    @Bean
    Index<V1Pod, String> podsByName() {
        return SlicedPods.BY_NAME;
    }
}
