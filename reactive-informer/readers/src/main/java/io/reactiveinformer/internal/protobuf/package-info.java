/** The table of the protocol buffers of the built-in types. How bytes are read and written by it is left to its users. */
@NullMarked
package io.reactiveinformer.internal.protobuf;

import org.jspecify.annotations.NullMarked;
