-- Fees of each portfolio by coin: of transactions of wallets, and of trades and withdrawals at exchanges. They are the
-- sums of `fee` in `/portfolio/transactions`.
-- portfolio_id: The API's portfolioId
-- name: Name given by its owner
-- coin_id: Coin that was paid
-- transactions: Number of transactions with such a fee
-- amount: Coins paid
-- value_usd: Their value when they were paid, USD
with fees as (
  select portfolios.id, portfolios.name, fee.coin_id, fee.amount, fee.value_usd
  from portfolios
  join wallets on wallets.address = portfolios.address
  join movements as fee on fee.wallet_id = wallets.id and fee.network_id = portfolios.network_id
  where fee.role = 'fee'
  union all
  select portfolios.id, portfolios.name, coalesce(asset.coin_id, 'FiatCoin' || asset.currency), fee.delta, fee.value_usd
  from portfolios
  join exchange_connections as connection on connection.id = portfolios.id
  join exchange_legs as fee on fee.connection_id = connection.id
  join exchange_assets as asset on asset.venue = connection.venue and asset.asset = fee.asset
  where fee.role = 'fee'
)
select id as portfolio_id, name, coin_id, count(*) as transactions, -sum(amount) as amount, -sum(value_usd) as value_usd
from fees
group by all
order by name, portfolio_id, value_usd desc nulls last
