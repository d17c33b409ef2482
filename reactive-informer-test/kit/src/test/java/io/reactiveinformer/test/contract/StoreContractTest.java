package io.reactiveinformer.test.contract;

import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.store.Store;

class StoreContractTest extends StoreContract {

    @Override
    protected Store<String> create(Namespaces namespaces) {
        return Store.create(namespaces);
    }
}
