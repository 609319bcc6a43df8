package dev.tutti.contract;

class SqlStageContractTest extends StageContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
