package io.reactiveinformer.internal.codec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.gson.annotations.SerializedName;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.introspect.VisibilityChecker;

import static com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility.NONE;

/** Makes Jackson read classes from the generator by their {@link SerializedNames}, and all others as usual. */
final class SerializedNameIntrospector extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable PropertyName findNameForDeserialization(MapperConfig<?> config, Annotated annotated) {
        SerializedName name = annotated instanceof AnnotatedField ? annotated.getAnnotation(SerializedName.class) : null;
        return name == null ? super.findNameForDeserialization(config, annotated) : PropertyName.construct(name.value());
    }

    @Override
    public @Nullable PropertyName findNameForSerialization(MapperConfig<?> config, Annotated annotated) {
        SerializedName name = annotated instanceof AnnotatedField ? annotated.getAnnotation(SerializedName.class) : null;
        return name == null ? super.findNameForSerialization(config, annotated) : PropertyName.construct(name.value());
    }

    @Override
    public VisibilityChecker findAutoDetectVisibility(MapperConfig<?> config, AnnotatedClass type, VisibilityChecker checker) {
        return SerializedNames.areOn(type.getRawType())
                ? checker.withFieldVisibility(NONE).withGetterVisibility(NONE).withIsGetterVisibility(NONE).withSetterVisibility(NONE)
                : super.findAutoDetectVisibility(config, type, checker);
    }

    /**
     * Set for each class, since Jackson otherwise keeps all unknown properties of a record until it is made: of a record of metadata, the
     * whole pod.
     */
    @Override
    public JsonIgnoreProperties.Value findPropertyIgnoralByName(MapperConfig<?> config, Annotated annotated) {
        JsonIgnoreProperties.Value said = super.findPropertyIgnoralByName(config, annotated);
        return annotated instanceof AnnotatedClass ? said.withIgnoreUnknown() : said;
    }

    /**
     * Empty collections are not written if they are properties. Set for properties, since an override of the type would apply to the values
     * of maps, too.
     */
    @Override
    public JsonInclude.Value findPropertyInclusion(MapperConfig<?> config, Annotated annotated) {
        JsonInclude.Value said = super.findPropertyInclusion(config, annotated);
        boolean says = said.getValueInclusion() != JsonInclude.Include.USE_DEFAULTS;
        return !says && annotated instanceof AnnotatedMember && Mappers.COLLECTIONS.contains(annotated.getRawType())
                ? said.withValueInclusion(JsonInclude.Include.NON_EMPTY)
                : said;
    }

    @Override
    public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated annotated) {
        return !(annotated instanceof AnnotatedField field) ? super.findDeserializer(config, annotated)
                : SerializedNames.isIdentity(field.getAnnotated()) ? IdentityString.class
                : SerializedNames.mayBeNoString(field.getAnnotated()) ? StringOrNothing.class
                : super.findDeserializer(config, annotated);
    }
}
