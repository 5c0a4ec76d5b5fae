-- Profit and loss of each portfolio by UTC month, as `/portfolio/pl/history?interval=monthly` gives it.
-- portfolio_id: The API's portfolioId
-- name: Name given by its owner
-- month: First day of the month; the last month ends where the computation ends
-- opening_usd: Value at the start of the month, USD
-- closing_usd: Value at the end of the month, USD
-- flow_usd: Value that came in from outside less value that went out, USD
-- profit_usd: Change of the value less the flow, USD
-- profit_percent: Profit in percent of the opening value; 0 if that is below a cent
select portfolio_id, portfolios.name, month, opening_usd, closing_usd, flow_usd, profit_usd,
  if(abs(opening_usd) < 0.01, 0, 100 * profit_usd::double / abs(opening_usd)::double) as profit_percent
from portfolio_months
join portfolios on portfolios.id = portfolio_id
order by portfolios.name, portfolio_id, month
