/** Admission: what may refuse the write of a request although its object is valid. */
@NullMarked
package io.reactiveinformer.apiserver.internal.admission;

import org.jspecify.annotations.NullMarked;
