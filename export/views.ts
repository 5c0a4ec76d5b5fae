/** A view of the catalog that is derived from other views. */
export interface View {
  name: string
  description: string
  sql: string
  columns: Readonly<Record<string, string>>
}

export const VIEWS: readonly View[] = [
  {
    name: 'holdings',
    description: 'Current balances of wallets, without spam, at the latest prices, as in /wallet/balance.',
    sql: `select wallets.address, balances.network_id, balances.coin_id,
        coalesce(coins.name, tokens.name, networks.symbol) as name,
        coalesce(upper(coins.symbol), tokens.symbol, networks.symbol) as symbol,
        balances.token_address, balances.amount, balances.price_usd,
        balances.value_usd, balances.value_usd_exact, wallet_syncs.synced_at
      from balances
      join wallets on wallets.id = balances.wallet_id
      join wallet_syncs on wallet_syncs.wallet_id = balances.wallet_id
        and wallet_syncs.network_id = balances.network_id and wallet_syncs.synced_at is not null
      join networks on networks.id = balances.network_id
      left join tokens on tokens.network_id = balances.network_id and tokens.address = balances.token_address
      left join coins on coins.id = balances.coin_id
      where (balances.raw > 0 or balances.raw is null) and tokens.spam_reason is null`,
    columns: {
      address: 'Address of the wallet',
      network_id: "The API's connectionId",
      coin_id: 'Coin id, as in the API',
      name: 'Name of the coin, or the name in the contract',
      symbol: 'Symbol of the coin, or the symbol in the contract',
      token_address: 'Contract of the token; null for the native asset',
      amount: 'Number of coins',
      price_usd: 'Price of one coin in USD; null if unknown',
      value_usd: 'amount at that price, USD; null if unknown',
      synced_at: 'Everything of the wallet up to this time is known',
    },
  },
  {
    name: 'portfolio_days',
    description: 'Value and external flow of each portfolio at each midnight.',
    sql: `select portfolios.id as portfolio_id, portfolios.account_id, portfolios.kind, portfolios.name,
        (pl_days.occurred_at at time zone 'UTC' - interval 1 day)::date as day, pl_days.* exclude (book_id)
      from pl_days join portfolios on portfolios.book_id = pl_days.book_id`,
    columns: {
      portfolio_id: "The API's portfolioId",
      account_id: 'Account of the portfolio',
      kind: 'wallet, exchange or manual',
      name: 'Name given by its owner',
      day: 'The UTC day that ends then',
    },
  },
  {
    name: 'portfolio_months',
    description:
      'Profit and loss of each portfolio by UTC month, in USD, as in /portfolio/pl/history?interval=monthly.',
    sql: `select portfolio_id, month, coalesce(lag(closing_usd) over months, 0) as opening_usd, closing_usd, flow_usd,
        closing_usd - opening_usd - flow_usd as profit_usd
      from (
        select portfolio_id, date_trunc('month', day)::date as month, arg_max(value_usd, day) as closing_usd,
          sum(flow_usd) as flow_usd
        from portfolio_days group by all
      ) as months
      window months as (partition by portfolio_id order by month)`,
    columns: {
      portfolio_id: "The API's portfolioId",
      month: 'First day of the month, UTC; the last month ends where the computation ends',
      opening_usd: 'Value at the start of the month, USD',
      closing_usd: 'Value at the end of the month, USD',
      flow_usd: 'Value that came in from outside less value that went out, USD',
      profit_usd: 'Change of the value less the flow, USD',
    },
  },
]
