/** A view of the catalog that is made of others. */
export interface View {
  name: string
  description: string
  sql: string
  columns: Readonly<Record<string, string>>
}

export const VIEWS: readonly View[] = [
  {
    name: 'holdings',
    description: 'What wallets hold now, without spam, at the latest prices: as /wallet/balance.',
    sql: `select wallets.address, balances.network_id, balances.coin_id,
        coalesce(coins.name, tokens.name, networks.symbol) as name,
        coalesce(upper(coins.symbol), tokens.symbol, networks.symbol) as symbol,
        balances.token_address, balances.amount, coin_quotes.price_usd,
        (balances.amount::double * coin_quotes.price_usd::double) as value_usd, wallet_syncs.synced_at
      from balances
      join wallets on wallets.id = balances.wallet_id
      join wallet_syncs on wallet_syncs.wallet_id = balances.wallet_id
        and wallet_syncs.network_id = balances.network_id and wallet_syncs.synced_at is not null
      join networks on networks.id = balances.network_id
      left join tokens on tokens.network_id = balances.network_id and tokens.address = balances.token_address
      left join coins on coins.id = balances.coin_id
      left join coin_quotes on coin_quotes.coin_id = balances.coin_id
      where (balances.raw > 0 or balances.raw is null) and tokens.spam_reason is null`,
    columns: {
      address: 'Of the wallet',
      network_id: "The API's connectionId",
      coin_id: 'Coin id, as in the API',
      name: 'Of the coin, or as the contract says',
      symbol: 'Of the coin, or as the contract says',
      token_address: 'Null: the native asset',
      amount: 'Coins',
      price_usd: 'Of one, USD; null: unknown',
      value_usd: 'Both multiplied, to the precision of a double',
      synced_at: 'When the wallet was last read to the head of the chain, UTC',
    },
  },
  {
    name: 'portfolio_days',
    description: 'Value and external flow of each portfolio at each midnight.',
    sql: `select portfolios.id as portfolio_id, portfolios.account_id, portfolios.kind, portfolios.name,
        pl_days.* exclude (book_id)
      from pl_days join portfolios on portfolios.book_id = pl_days.book_id`,
    columns: {
      portfolio_id: "The API's portfolioId",
      account_id: 'Whose it is',
      kind: 'wallet, exchange or manual',
      name: 'Given by its owner',
    },
  },
  {
    name: 'portfolio_months',
    description:
      'Profit and loss of each portfolio by UTC month, in USD: as /portfolio/pl/history?interval=monthly.',
    sql: `select portfolio_id, month, coalesce(lag(closing_usd) over months, 0) as opening_usd, closing_usd, flow_usd,
        closing_usd - opening_usd - flow_usd as profit_usd
      from (
        select portfolio_id, date_trunc('month', "at" - interval 1 day) as month, arg_max(value_usd, "at") as closing_usd,
          sum(flow_usd) as flow_usd
        from portfolio_days group by all
      ) as months
      window months as (partition by portfolio_id order by month)`,
    columns: {
      portfolio_id: "The API's portfolioId",
      month: 'Its start, UTC; the last one is as far as it is computed',
      opening_usd: 'Value at its start',
      closing_usd: 'Value at its end',
      flow_usd: 'What came in from outside less what went out',
      profit_usd: 'What the value changed by, less the flow',
    },
  },
]
