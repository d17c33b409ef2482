/** What the log says of outages, the same for informers, elections and all others that retry. */
@NullMarked
package io.reactiveinformer.internal.outage;

import org.jspecify.annotations.NullMarked;
