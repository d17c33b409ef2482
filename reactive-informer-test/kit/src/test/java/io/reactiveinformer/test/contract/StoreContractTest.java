package io.reactiveinformer.test.contract;

import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.store.Store;

class StoreContractTest extends StoreContract {

    @Override
    protected Store<String> create(Scope scope) {
        return Store.create(scope);
    }
}
