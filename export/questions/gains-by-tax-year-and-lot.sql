-- What each portfolio disposed of by UTC year and lot, by its own cost method, as `/portfolio/report` gives it.
-- portfolio_id: The API's portfolioId
-- name: Name given by its owner
-- tax_year: UTC year of the disposal
-- coin_id: Coin id, as in the API
-- disposed_at: When it was disposed of
-- acquired_at: When the lot was acquired; null: never, or method average
-- holding_days: Whole days from acquisition to disposal
-- reason: trade, send, tradefee, fee or loss
-- quantity: Quantity taken from the lot, coins
-- proceeds_usd: Proceeds after fees, USD
-- cost_usd: Cost basis, USD; 0 if it was never acquired
-- gain_usd: Proceeds less cost, USD
-- uncovered: True when it was never acquired: its cost is unknown
select portfolios.id as portfolio_id, portfolios.name, year(gone.disposed_at at time zone 'UTC') as tax_year, gone.coin_id,
  gone.disposed_at, gone.acquired_at, gone.holding_days, gone.reason,
  gone.quantity, gone.proceeds_usd, gone.cost_usd, gone.gain_usd, gone.uncovered
from portfolios
join scopes on scopes.book_id = portfolios.book_id
join folds on folds.scope_id = scopes.id and folds.method = portfolios.cost_method
join disposals as gone on gone.fold_id = folds.id
order by portfolios.name, portfolio_id, gone.disposed_at, gone.seq, gone.position
