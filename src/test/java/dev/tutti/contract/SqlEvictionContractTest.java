package dev.tutti.contract;

class SqlEvictionContractTest extends EvictionContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
