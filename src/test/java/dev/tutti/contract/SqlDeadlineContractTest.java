package dev.tutti.contract;

class SqlDeadlineContractTest extends DeadlineContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
