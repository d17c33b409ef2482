package io.reactiveinformer.test.contract;

import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.queue.WorkQueueOptions;

class WorkQueueContractTest extends WorkQueueContract {

    @Override
    protected WorkQueue<String> create(WorkQueueOptions<String> options) {
        return WorkQueue.create(options);
    }
}
