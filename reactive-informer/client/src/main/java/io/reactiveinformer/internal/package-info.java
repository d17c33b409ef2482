/** Shared by several packages, and not for users. It may change in any release. */
@NullMarked
package io.reactiveinformer.internal;

import org.jspecify.annotations.NullMarked;
