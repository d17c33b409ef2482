package io.reactiveinformer.spring;

import io.reactiveinformer.informer.InformerFactory;
import java.util.function.UnaryOperator;

/** Meters the informers of a factory. Does not refer to the metrics classes, which may be missing from the class path. */
interface Metering extends UnaryOperator<InformerFactory> {}
