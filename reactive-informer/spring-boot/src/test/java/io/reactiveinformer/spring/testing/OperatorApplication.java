package io.reactiveinformer.spring.testing;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An operator as users write it, of which the tests beside it start parts. */
@SpringBootApplication
class OperatorApplication {

    public static void main(String[] args) {
        SpringApplication.run(OperatorApplication.class, args);
    }
}
