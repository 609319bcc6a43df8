package dev.tutti.contract;

class SqlChangeFeedContractTest extends ChangeFeedContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
