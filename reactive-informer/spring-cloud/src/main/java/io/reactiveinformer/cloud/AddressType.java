package io.reactiveinformer.cloud;

/** What the addresses of an EndpointSlice are. A service with two families of addresses has slices of both, each with all its pods. */
enum AddressType {

    /** Addresses such as 10.1.2.3. */
    IPV4,

    /** Addresses such as fd00::1. */
    IPV6,

    /** Names such as db.example.com. */
    FQDN
}
