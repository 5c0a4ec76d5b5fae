import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DATASETS } from '../../export/datasets.ts'
import { fieldsOf } from '../../export/fields.ts'

// Which tables and columns are exported, and which never are.

const schema = readFileSync(join(import.meta.dirname, '../../db/schema.sql'), 'utf8')
const tables = [...schema.matchAll(/^table ([a-z_]+)$/gm)].map(([, name]) => name!)

const ROOT = join(import.meta.dirname, '../..')
/** The area of each table and view by name: the folder of `db/` that creates it. */
const areaOf = new Map(
  readdirSync(join(ROOT, 'db')).flatMap((area) =>
    ['migrations', 'views'].flatMap((kind) => {
      const folder = join(ROOT, 'db', area, kind)
      if (!existsSync(folder)) return []
      const sql = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
      return [...sql.join('\n').matchAll(/^create (?:table|(?:or replace )?view) ([a-z_]+)/gm)].map(
        ([, name]) => [name!, area] as const,
      )
    }),
  ),
)
const exported = new Set(DATASETS.flatMap(({ from }) => from.match(/[a-z_]+/g)!))

/** Tables that are not exported, by reason. A new table must be in a dataset or here. */
const NOT_EXPORTED: Readonly<Record<string, readonly string[]>> = {
  'Secrets of accounts: keys, credentials, identities, users, links, connect kits, uploaded files': [
    'api_keys',
    'connect_codes',
    'connect_kits',
    'connected_agents',
    'event_tickets',
    'exchange_secrets',
    'identities',
    'import_uploads',
    'issuer_records',
    'operators',
    'page_sessions',
    'portfolio_shares',
    'revoked_sessions',
    'sign_in_tries',
    'user_invitations',
    'user_recovery_codes',
    'user_totp',
    'user_wallets',
    'wallet_challenges',
    'users',
    'webhook_endpoints',
  ],
  'Billing data: operators read the ledger itself': [
    'accounts',
    'credit_grants',
    'credit_periods',
    'idempotent_answers',
    'ledger_entries',
    'payment_answers',
    'payment_notes',
    'payment_owners',
    'payments',
    'plans',
    'rate_states',
    'usage_days',
  ],
  'Events as accounts get them; the rows that they tell of are exported': [
    'account_events',
    'alert_rules',
    'event_subscriptions',
    'event_watchers',
  ],
  'Progress of work, and work to do': [
    'cold_files',
    'cold_transactions',
    'deliveries',
    'dropped_events',
    'event_rates',
    'event_sources',
    'exchange_cursors',
    'exchange_sync_requests',
    'operator_actions',
    'outbox',
    'first_syncs',
    'incident_notices',
    'incident_silences',
    'incidents',
    'instant_keys',
    'followed_networks',
    'network_follows',
    'network_rewinds',
    'touched_wallets',
    'account_checks',
    'defi_marks',
    'pl_runs',
    'restore_checks',
    'pl_states',
    'prediction_cursors',
    'prediction_failures',
    'price_changes',
    'prediction_match_states',
    'prediction_trade_states',
    'source_orders',
    'source_shapes',
    'table_revisions',
    'source_states',
    'sources',
    'sync_requests',
    'told_transactions',
    'unconfirmed_transactions',
    'uncomputed_figures',
  ],
  'Headers of the last blocks, kept to detect reorgs; rows have number, hash and time of their block': [
    'blocks',
  ],
  'Upstream names of coins and exchanges that have an id here': ['coin_mappings', 'ticker_exchange_mappings'],
  'Exported row by row: acquisitions and disposals': ['lot_uses'],
  'Copies for fast reads; the data that they derive from is exported': [
    'coin_fold_days',
    'coin_listings',
    'coin_moves',
    'news_anchors',
    'prediction_counts',
    'transaction_days',
    'wallet_spam',
    'wallet_transaction_anchors',
    'wallet_transaction_counts',
  ],
}

test('every table is exported or listed as not exported', () => {
  expect(tables.filter((name) => !exported.has(name)).sort()).toEqual(
    Object.values(NOT_EXPORTED).flat().sort(),
  )
})

test('no column contains a secret of a tenant', () => {
  const columns = DATASETS.flatMap((dataset) =>
    Object.entries(dataset.columns).map(([name, { sql }]) => sql ?? name),
  )
  const secrets = columns.filter((name) =>
    /secret|fingerprint|cipher|wrapped|passcode|token_hash|key_id|signature|nonce|payload/.test(name),
  )
  expect(secrets).toEqual([])
})

describe.each(DATASETS.map((dataset) => [dataset.name, dataset] as const))('%s', (_, dataset) => {
  test('sorts and cuts by its own columns, and every column has a unique name and a comment', () => {
    const names = fieldsOf(dataset).map(({ name }) => name)
    for (const name of [...dataset.sort, ...(dataset.cut === null ? [] : Object.values(dataset.cut))])
      expect(names).toContain(name)
    expect(new Set(names).size).toBe(names.length)
    for (const { comment } of fieldsOf(dataset)) expect(comment).not.toBe('')
  })
})

test('a dataset is in the file of the area that creates its table, so that it is removed with the area', async () => {
  const folder = join(ROOT, 'export/datasets')
  const elsewhere: string[] = []
  for (const file of readdirSync(folder)) {
    const exports: Record<string, unknown> = await import(join(folder, file))
    for (const { name, from } of Object.values(exports).flat() as (typeof DATASETS)[number][]) {
      const area = areaOf.get(name) ?? areaOf.get(/\bfrom ([a-z_]+)/.exec(from)?.[1] ?? from)
      if (file !== `${area}.ts` && !file.startsWith(`${area}-`)) elsewhere.push(`${file}: ${name} of ${area}`)
    }
  }
  expect(elsewhere).toEqual([])
})
