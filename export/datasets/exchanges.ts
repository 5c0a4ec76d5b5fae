import {
  AMOUNT_PLACES,
  boolean,
  type Dataset,
  decimal,
  FETCHED_AT,
  instant,
  integer,
  PRICE_PLACES,
  SOURCE,
  text,
  value,
} from '../dataset.ts'

const CONNECTION = text('exchange_connections.id; also the id of its portfolio')
const ASSET = text("CCXT's unified code of the asset")
const READ = { source: SOURCE, fetched_at: FETCHED_AT }
/** Must not include credentials, their fingerprints, share links or passcodes. */
export const exchangeDatasets: readonly Dataset[] = [
  {
    name: 'exchange_connections',
    family: 'Fills',
    description: 'Exchange accounts, without credentials.',
    from: 'exchange_connections',
    cut: null,
    sort: ['id'],
    columns: {
      id: CONNECTION,
      account_id: text('Account of the owner'),
      venue: text('Exchange id'),
      name: text('Name given by the owner'),
      created_at: instant('When it was connected'),
      synced_at: instant('When a sync last completed; null: never'),
      covered_to: instant('Everything up to this time is stored'),
      failed_at: instant('When the last sync failed; null: it did not fail'),
    },
  },
  {
    name: 'exchange_transactions',
    family: 'Fills',
    description: 'Fills, deposits and withdrawals as the exchange states them.',
    from: 'exchange_transactions',
    cut: { at: 'occurred_at', key: 'connection_id' },
    sort: ['connection_id', 'occurred_at', 'kind', 'key'],
    columns: {
      connection_id: CONNECTION,
      kind: text('fill, dust, convert, deposit, withdrawal, reward, adjustment, fee or opening'),
      role: text('airdrop or interest, if the exchange says so of a reward; null: follows from the kind'),
      unknown_kind: text(
        "The exchange's name of a kind of ledger entries that has no meaning here; null: its kind is known",
      ),
      key: text("The exchange's id, with the symbol when ids are unique only within a symbol"),
      occurred_at: instant('Time given by the exchange', 'at'),
      status: text('ok, pending or failed'),
      type: text('deposit, withdraw, executed, balance or fee'),
      symbol: text('The market of a fill'),
      order_id: text("The exchange's order id"),
      asset: ASSET,
      amount: decimal(AMOUNT_PLACES, 'Amount; positive: received'),
      quote_asset: text('Asset on the other side of a fill'),
      quote_amount: decimal(AMOUNT_PLACES, 'Amount of the other side; positive: received'),
      fee_asset: text('Asset of the fee'),
      fee_amount: decimal(AMOUNT_PLACES, 'Fee; positive: paid'),
      network: text('Network of a deposit or withdrawal, as the exchange gives it'),
      tx_hash: text('Transaction hash of a deposit or withdrawal, as the exchange gives it'),
      identified: boolean('Whether the asset is a known coin or currency'),
      ...READ,
    },
  },
  {
    name: 'exchange_balances',
    family: 'Balances',
    description: 'Balances of exchange accounts at their last sync, with their value at the latest prices.',
    from: `(select own.*, price.usd as price_usd from exchange_balances as own
      join exchange_connections as connection on connection.id = own.connection_id
      left join exchange_assets as of on of.venue = connection.venue and of.asset = own.asset
      left join lateral (
        select price_usd as usd from coin_quotes where coin_id = of.coin_id
        union all
        select 1 where of.currency = 'USD'
        union all
        (select 1 / per_usd from fx_rates
         where currency = of.currency and currency <> 'USD' and at <= now() order by at desc limit 1)
        limit 1
      ) as price on true) as item`,
    cut: null,
    sort: ['connection_id', 'asset'],
    columns: {
      connection_id: CONNECTION,
      asset: ASSET,
      amount: decimal(AMOUNT_PLACES, 'Amount in coins or units of the currency'),
      price_usd: decimal(PRICE_PLACES, 'Latest price of one coin or unit in USD; null: unknown'),
      value_usd: value('amount at that price', 'amount * price_usd'),
      ...READ,
    },
  },
  {
    name: 'exchange_assets',
    family: 'Fills',
    description: 'Coins and currencies behind the asset codes of an exchange.',
    from: 'exchange_assets',
    cut: null,
    sort: ['venue', 'asset'],
    columns: {
      venue: text('Exchange id'),
      asset: ASSET,
      coin_id: text('Coin id, as in the API; null: not a known coin'),
      currency: text('ISO code; null: not a known currency'),
      ...READ,
    },
  },
  {
    name: 'transaction_parts',
    family: 'Transactions',
    description: 'Fills, deposits and withdrawals that their owners corrected or split.',
    from: 'transaction_parts',
    cut: null,
    sort: ['connection_id', 'kind', 'key', 'part'],
    columns: {
      connection_id: CONNECTION,
      kind: text('exchange_transactions.kind'),
      key: text('exchange_transactions.key'),
      part: integer('Number of the part; 0: the rest'),
      share: decimal(AMOUNT_PLACES, 'Share of the whole; null: the rest'),
      role: text('Corrected role; null: unchanged'),
      occurred_at: instant('Corrected time; null: unchanged', 'at'),
      portfolio_id: text('Portfolio to which it was moved; null: its own portfolio'),
      ...READ,
    },
  },
  {
    name: 'exchange_legs',
    family: 'Fills',
    description: 'Balance changes by each row of exchange_transactions, with prices.',
    from: 'exchange_legs',
    cut: { at: 'occurred_at', key: 'connection_id' },
    sort: ['connection_id', 'asset', 'occurred_at', 'kind', 'key', 'role'],
    columns: {
      connection_id: text('exchange_connections.id'),
      kind: text('exchange_transactions.kind'),
      key: text('exchange_transactions.key'),
      role: text('base, quote or fee'),
      asset: text('exchange_assets.asset'),
      occurred_at: instant('Time given by the exchange', 'at'),
      delta: decimal(AMOUNT_PLACES, 'Change; positive: received'),
      total: decimal(AMOUNT_PLACES, 'Balance after the leg'),
      price_usd: decimal(PRICE_PLACES, 'Price of one coin in USD at that time; null: never priced'),
      value_usd: value('delta at that price, as profit and loss counts it', 'delta * price_usd'),
      ...READ,
    },
  },
]
