/** Admission: policies, and webhooks: which ones a write passes through, what they are sent, and the calls. What asks for a call is in {@code cluster}. */
@NullMarked
package io.reactiveinformer.apiserver.internal.admission;

import org.jspecify.annotations.NullMarked;
