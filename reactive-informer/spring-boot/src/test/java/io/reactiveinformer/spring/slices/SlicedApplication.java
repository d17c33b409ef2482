package io.reactiveinformer.spring.slices;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application as users write it, of which the tests beside it start slices. */
@SpringBootApplication
class SlicedApplication {}
