package io.reactiveinformer.spring.test;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** Leaves out all components that the application scans for. */
final class NoComponents extends TypeExcludeFilter {

    @Override
    public boolean match(MetadataReader component, MetadataReaderFactory factory) {
        return true;
    }

    /** All are equal, so that tests share cached contexts. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NoComponents;
    }

    @Override
    public int hashCode() {
        return NoComponents.class.hashCode();
    }
}
