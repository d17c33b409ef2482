package io.reactiveinformer.spring;

import io.reactiveinformer.informer.InformerFactory;
import java.util.function.UnaryOperator;

/** Has the informers of a factory metered. What it is made of may not be on the class path, and is not named here. */
interface Metering extends UnaryOperator<InformerFactory> {}
