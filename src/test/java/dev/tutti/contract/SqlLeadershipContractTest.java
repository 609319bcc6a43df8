package dev.tutti.contract;

class SqlLeadershipContractTest extends LeadershipContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
