package io.reactiveinformer.guide.definitions;

import io.fabric8.crd.generator.annotation.SchemaSwap;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** What fabric8's generator makes the definition of sites from. */
@Group("example.com")
@Version("v1")
@Kind("Site")
@SchemaSwap(originalType = Site.Spec.class, fieldName = "memory", targetType = Quantity.class) // of fabric8
@SuppressWarnings("serial")
public class SiteDefinition extends CustomResource<Site.Spec, Site.Status> implements Namespaced {}
