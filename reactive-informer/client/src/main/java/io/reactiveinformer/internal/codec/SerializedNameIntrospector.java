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
     * Set for each class but the models, of which {@link Mappers} notes unknown properties, since Jackson otherwise keeps all unknown
     * properties of a record until it is made: of a record of metadata, the whole pod.
     */
    @Override
    public JsonIgnoreProperties.Value findPropertyIgnoralByName(MapperConfig<?> config, Annotated annotated) {
        JsonIgnoreProperties.Value said = super.findPropertyIgnoralByName(config, annotated);
        return annotated instanceof AnnotatedClass type && !PlainClasses.isOfTheModels(type.getRawType()) ? said.withIgnoreUnknown() : said;
    }

    /**
     * Of the properties of models, which are made from Go types, empty collections are not written: those types do not have them either.
     * Other objects have what they are given: an empty list is one, while one that was read although there was none is nothing. Set for
     * properties, since an override of the type would apply to the values of maps, too.
     */
    @Override
    public JsonInclude.Value findPropertyInclusion(MapperConfig<?> config, Annotated annotated) {
        JsonInclude.Value said = super.findPropertyInclusion(config, annotated);
        if (said.getValueInclusion() != JsonInclude.Include.USE_DEFAULTS || !(annotated instanceof AnnotatedMember member)
                || !Mappers.COLLECTIONS.contains(member.getRawType())) {
            return said;
        }
        return PlainClasses.isOfTheModels(member.getDeclaringClass()) || isFilledByItself(member)
                ? said.withValueInclusion(JsonInclude.Include.NON_EMPTY)
                : said.withValueInclusion(JsonInclude.Include.CUSTOM).withValueFilter(AbsentCollections.Filter.class);
    }

    /** Whether a new object of a class from the generator has an empty collection there that nobody gave it. */
    private static boolean isFilledByItself(AnnotatedMember member) {
        return member instanceof AnnotatedField field && SerializedNames.areOn(field.getDeclaringClass())
                && SerializedNames.isFilled(field.getAnnotated());
    }

    @Override
    public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated annotated) {
        return !(annotated instanceof AnnotatedField field) ? super.findDeserializer(config, annotated)
                : SerializedNames.isIdentity(field.getAnnotated()) ? IdentityString.class
                : super.findDeserializer(config, annotated);
    }
}
