/** Shared by the packages of operators and by our other modules. Not for users. It may change in any release. */
@NullMarked
package io.reactiveinformer.internal.operator;

import org.jspecify.annotations.NullMarked;
