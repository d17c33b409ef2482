package io.reactiveinformer.spring.testing;

import org.springframework.stereotype.Component;

/** A component that a slice leaves out. */
@Component
class Unrelated {}
