import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DATASETS } from '../../export/datasets.ts'
import { fieldsOf } from '../../export/fields.ts'

// What leaves the database, and what never does.

const schema = readFileSync(join(import.meta.dirname, '../../db/schema.sql'), 'utf8')
const tables = [...schema.matchAll(/^table ([a-z_]+)$/gm)].map(([, name]) => name!)
const exported = new Set(DATASETS.flatMap(({ from }) => from.match(/[a-z_]+/g)!))

/** A new table stands in an export, or here. */
const NOT_EXPORTED = [
  // Of accounts: keys, credits, identities, credentials, payments, links.
  ...['accounts', 'api_keys', 'credit_grants', 'credit_periods', 'exchange_secrets', 'idempotent_answers'],
  ...[
    'identities',
    'ledger_entries',
    'payment_answers',
    'payment_owners',
    'payments',
    'plans',
    'portfolio_shares',
  ],
  ...['operators', 'rate_states', 'reservations', 'revoked_sessions', 'usage_days'],
  // How far work has come, what is to be done, and copies that make reading quick.
  ...[
    'blocks',
    'coin_listings',
    'coin_mappings',
    'exchange_cursors',
    'exchange_sync_requests',
    'news_anchors',
  ],
  ...['outbox', 'pl_states', 'prediction_counts', 'prediction_cursors', 'prediction_match_states'],
  ...[
    'prediction_trade_states',
    'source_states',
    'sources',
    'sync_requests',
    'ticker_exchange_mappings',
    'transaction_days',
  ],
  ...['wallet_accounts', 'wallet_transaction_anchors', 'wallet_transaction_counts'],
  // Of no family that analysts have asked for.
  ...['balance_days', 'books', 'coin_contracts', 'coin_folds', 'coin_moves', 'coin_risks', 'defi_assets'],
  ...[
    'defi_deployments',
    'defi_positions',
    'defi_protocols',
    'defi_reads',
    'exchange_assets',
    'exchange_legs',
  ],
  ...[
    'fear_greed',
    'folds',
    'market_totals',
    'movement_labels',
    'news_trending',
    'nft_assets',
    'nft_collections',
  ],
  ...['nft_gecko_records', 'nft_listings', 'nft_points', 'nft_sales', 'nft_traits', 'prediction_books'],
  ...['prediction_event_matches', 'prediction_holders', 'prediction_leaders', 'prediction_matches'],
  ...['prediction_positions', 'prediction_tags', 'prediction_trade_days', 'prediction_trader_days'],
  ...['prediction_traders', 'prediction_venue_periods', 'prediction_venues', 'scope_books', 'scopes'],
  ...['ticker_exchange_volumes', 'ticker_exchanges', 'ticker_prices', 'tickers', 'token_risks'],
  ...['transaction_parts', 'transfer_matches'],
]

test('every table is exported, or said not to be', () => {
  expect(tables.filter((name) => !exported.has(name)).sort()).toEqual([...NOT_EXPORTED].sort())
})

test('no secret of a tenant has a column', () => {
  const columns = DATASETS.flatMap((dataset) =>
    Object.entries(dataset.columns).map(([name, { sql }]) => sql ?? name),
  )
  const secrets = columns.filter((name) =>
    /secret|fingerprint|cipher|wrapped|passcode|token_hash|key_id|signature|nonce|payload/.test(name),
  )
  expect(secrets).toEqual([])
})

describe.each(DATASETS.map((dataset) => [dataset.name, dataset] as const))('%s', (_, dataset) => {
  test('sorts and cuts by columns that it has, and names each once', () => {
    const names = fieldsOf(dataset).map(({ name }) => name)
    for (const name of [...dataset.sort, ...(dataset.month === null ? [] : [dataset.month])])
      expect(names).toContain(name)
    expect(new Set(names).size).toBe(names.length)
    for (const { comment } of fieldsOf(dataset)) expect(comment).not.toBe('')
  })
})
