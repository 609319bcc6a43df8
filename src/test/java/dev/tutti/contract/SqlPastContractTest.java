package dev.tutti.contract;

class SqlPastContractTest extends PastContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
