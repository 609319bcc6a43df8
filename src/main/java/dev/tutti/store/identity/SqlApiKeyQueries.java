package dev.tutti.store.identity;

import dev.tutti.control.read.ApiKeyQueries;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.model.Names;
import dev.tutti.store.Cursors;
import dev.tutti.store.Pages;
import dev.tutti.store.SqlTransactions;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** API keys for pages and lists. */
@Component
public final class SqlApiKeyQueries implements ApiKeyQueries {

    private static final String LIST = "keys";
    private static final int ID_DIGITS = 18;

    private static final String SELECT = "SELECT " + ApiKeys.COLUMNS + " FROM api_keys ";

    private static final String PAGE = SELECT + "WHERE id > :after ORDER BY id LIMIT :rows";
    private static final String BY_ID = SELECT + "WHERE id = :id";
    private static final String BY_NAME = SELECT + "WHERE name = :name";

    private final SqlTransactions transactions;

    public SqlApiKeyQueries(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Page<ApiKeyView> keys(PageRequest page) {
        List<String> after = Cursors.read(LIST, page.cursor());
        List<ApiKeyView> rows = transactions.read(
                "API keys",
                sql -> sql.sql(PAGE)
                        .param("after", after == null ? 0 : Long.parseLong(after.get(0)))
                        .param("rows", Pages.rows(page))
                        .query(ApiKeys::view)
                        .list());
        return Pages.of(rows, page, last -> Cursors.write(LIST, last.id()));
    }

    /** No name is a number, so an id names one API key alone. */
    @Override
    public Optional<ApiKeyView> key(String idOrName) {
        if (idOrName.indexOf('\0') >= 0) {
            return Optional.empty();
        }
        boolean isId = Names.isNumber(idOrName) && idOrName.length() <= ID_DIGITS;
        return transactions.read(
                "an API key",
                sql -> (isId
                                ? sql.sql(BY_ID).param("id", Long.parseLong(idOrName))
                                : sql.sql(BY_NAME).param("name", idOrName))
                        .query(ApiKeys::view)
                        .optional());
    }
}
