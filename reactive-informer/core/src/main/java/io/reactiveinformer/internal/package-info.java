/** What several packages share and no user needs. It may change in any release. */
@NullMarked
package io.reactiveinformer.internal;

import org.jspecify.annotations.NullMarked;
