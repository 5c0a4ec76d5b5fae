-- What each wallet received by network, sender and coin: the received items of `/wallet/transactions`. Transfers between
-- your own wallets are among them.
-- address: Address of the wallet
-- network_id: The API's connectionId
-- counterparty: Address of the sender; null: unknown
-- coin_id: Coin id, as in the API
-- transfers: Number of receipts
-- amount: Coins received
-- value_usd: Their value when they were received, USD; null: no price is known
select wallets.address, network_id, counterparty, coin_id, count(*) as transfers, sum(amount) as amount,
  sum(value_usd) as value_usd
from movements
join wallets on wallets.id = wallet_id
where role = 'transfer' and raw > 0
group by all
order by value_usd desc nulls last
