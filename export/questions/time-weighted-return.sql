-- Time-weighted return of each portfolio by UTC month and since its start: the returns of its days, multiplied. A day's
-- inflow counts from its start and an outflow until its end. `/portfolio/explain` gives the values and flows of a day.
-- portfolio_id: The API's portfolioId
-- name: Name given by its owner
-- month: First day of the month; the last month ends where the computation ends
-- month_return: Return of the month, as a fraction
-- total_return: Return from the first day to the end of the month, as a fraction
with days as (
  select portfolio_id, name, day, value_usd::double as closing, flow_usd::double as flow,
    lag(value_usd::double, 1, 0) over (partition by portfolio_id order by day) as opening
  from portfolio_days
), factors as (
  select *, opening + greatest(flow, 0) as invested, closing + greatest(-flow, 0) as returned from days
), months as (
  select portfolio_id, name, date_trunc('month', day)::date as month, product(if(invested > 0, returned / invested, 1)) as factor
  from factors
  group by all
)
select portfolio_id, name, month, factor - 1 as month_return,
  product(factor) over (partition by portfolio_id order by month) - 1 as total_return
from months
order by name, portfolio_id, month
