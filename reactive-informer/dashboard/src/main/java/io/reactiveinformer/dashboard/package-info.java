/**
 * A page that shows informers while they change, and the service behind it, for any web server. The service sends a few columns of each
 * object, and one object as YAML upon request; of a Secret only its name. A slow browser receives the latest state only. Optional. Start
 * with {@link io.reactiveinformer.dashboard.Dashboard}.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.dashboard;

import org.jspecify.annotations.NullMarked;
