-- Fees that each wallet paid to each network by UTC month: the sums of `fee` in `/wallet/transactions`.
-- address: Address of the wallet
-- network_id: The API's connectionId
-- month: First day of the month
-- coin_id: Coin that was paid
-- transactions: Number of transactions that were paid for
-- amount: Coins paid
-- value_usd: Their value when they were paid, USD
select wallets.address, network_id, date_trunc('month', occurred_at at time zone 'UTC')::date as month, coin_id,
  count(*) as transactions, -sum(amount) as amount, -sum(value_usd) as value_usd
from movements
join wallets on wallets.id = wallet_id
where role = 'fee'
group by all
order by address, network_id, month
