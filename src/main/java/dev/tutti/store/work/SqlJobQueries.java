package dev.tutti.store.work;

import dev.tutti.control.read.AttemptView;
import dev.tutti.control.read.JobFilter;
import dev.tutti.control.read.JobQueries;
import dev.tutti.control.read.JobView;
import dev.tutti.control.read.MemberView;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.control.read.PlaceView;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.store.Cursors;
import dev.tutti.store.Pages;
import dev.tutti.store.SqlTransactions;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

/** Jobs for pages and lists: keyset pages on indexes, each list one statement. */
@Component
public final class SqlJobQueries implements JobQueries {

    private final SqlTransactions transactions;
    private final TopologyLevels levels;
    private final AttemptRows attempts;

    public SqlJobQueries(SqlTransactions transactions, TopologyLevels levels, AttemptRows attempts) {
        this.transactions = transactions;
        this.levels = levels;
        this.attempts = attempts;
    }

    @Override
    public Optional<JobView> job(JobId id) {
        return transactions.read(
                "a job",
                sql -> sql.sql(JobViews.ONE)
                        .param("id", id.value())
                        .query(JobViews::view)
                        .optional());
    }

    @Override
    public Page<JobView> jobs(JobFilter filter, PageRequest page) {
        JobSearch search = new JobSearch(filter, page);
        List<JobView> rows = transactions.read("jobs", search::run);
        return Pages.of(rows, page, search::cursor);
    }

    @Override
    public Page<MemberView> members(JobId id, PageRequest page) {
        String list = "members/" + id;
        List<String> after = Cursors.read(list, page.cursor());
        List<MemberView> rows = transactions.read(
                "members",
                sql -> sql.sql(MemberViews.SELECT)
                        .param("id", id.value())
                        .param("after", after == null ? -1 : Integer.parseInt(after.get(0)))
                        .param("rows", Pages.rows(page))
                        .query(new MemberViews(levels))
                        .list());
        return Pages.of(rows, page, row -> Cursors.write(list, row.rank()));
    }

    @Override
    public List<PlaceView> places(JobId id) {
        MemberViews views = new MemberViews(levels);
        return transactions.read(
                "places of a job",
                sql -> sql.sql(MemberViews.PLACES)
                        .param("id", id.value())
                        .param("rows", PlaceView.SHOWN)
                        .query((row, n) -> views.place(row))
                        .list());
    }

    @Override
    public List<AttemptView> attempts(JobId id) {
        return transactions.read(
                "attempts",
                sql -> attempts.findByJobIdOrderByNumberDesc(id.value(), Limit.of(Page.MAX_LIMIT)).stream()
                        .map(AttemptRow::view)
                        .toList());
    }
}
