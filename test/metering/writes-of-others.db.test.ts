import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import type { AlertWrite } from '../../db/events/alert-write.ts'
import type { WebhookWrite } from '../../db/events/webhook-write.ts'
import { createAccount } from '../../db/metering/write.ts'
import type { PortfolioWrite } from '../../db/portfolios/portfolio-write.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// The SQL that applies the writes of an account checks by itself whose rows they name, whatever the API has checked.

type Write = PortfolioWrite | WebhookWrite | AlertWrite

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(owner.close)
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

/** Applies writes of one kind. */
const apply = async (accountId: string, ...writes: Write[]) => {
  const area = /^(?:webhook|alert)(?=-)/.exec(writes[0]!.kind)?.[0] ?? 'portfolio'
  await ask(`select apply_${area}_writes($1, $2::jsonb)`, [accountId, JSON.stringify(writes)])
}
const sealed = { keyId: 'key', wrappedKey: '00', ciphertext: '00' }
const most = { endpoints: 10, wallets: 10 }
const stated = {
  at: '2026-01-05T00:00:00Z',
  coinId: 'bitcoin',
  count: '1',
  price: null,
  currency: 'USD',
  priceUsd: null,
  note: null,
}

/** Creates an account that has one of everything that a write can name. */
async function newHolder() {
  const { accountId } = await createAccount(owner.db, { name: 'test', plan: 'pro' })
  const ids = {
    manual: randomUUID(),
    corrected: randomUUID(),
    deleted: randomUUID(),
    exchange: randomUUID(),
    upload: randomUUID(),
    webhook: randomUUID(),
    alert: randomUUID(),
    kit: randomUUID(),
    codeHash: randomBytes(32).toString('hex'),
  }
  await apply(accountId, { kind: 'open', id: ids.manual, name: 'Cash' })
  const add = { kind: 'add', portfolioId: ids.manual, ...stated } as const
  // At once, so that both have one version.
  await apply(accountId, { ...add, id: ids.corrected }, { ...add, id: ids.deleted })
  await ask(
    `insert into exchange_connections (id, account_id, venue, fingerprint, version) values ($1, $2, 'kraken', $3, 1)`,
    [ids.exchange, accountId, randomBytes(32)],
  )
  await ask(`insert into portfolios (id, account_id, kind) values ($1, $2, 'exchange')`, [
    ids.exchange,
    accountId,
  ])
  await ask(
    `insert into import_uploads (id, account_id, portfolio_id, body, sha256, expires_at)
     values ($1, $2, $3, '', $4, now() + interval '1 hour')`,
    [ids.upload, accountId, ids.manual, randomBytes(32)],
  )
  await ask(
    `insert into connect_kits (id, account_id, name, appearance, accent, mode, origins, redirect_urls)
     values ($1, $2, 'kit', 'system', '#000000', 'popup', '{}', '{}')`,
    [ids.kit, accountId],
  )
  await ask(
    `insert into connect_codes (hash, kit_id, account_id, portfolio_id, existed, expires_at)
     values (decode($1, 'hex'), $2, $3, $4, false, now() + interval '1 hour')`,
    [ids.codeHash, ids.kit, accountId, ids.exchange],
  )
  await apply(accountId, {
    kind: 'webhook-create',
    id: ids.webhook,
    url: 'https://hooks.test',
    types: ['wallet.transaction'],
    options: {} as never,
    watched: 'all',
    sealed,
    most,
  })
  await apply(accountId, { ...alertOn(null), id: ids.alert })
  const [row] = await ask<{ version: string }>(
    'select xmin::text as version from manual_transactions where id = $1',
    [ids.deleted],
  )
  return { accountId, ...ids, version: row!.version }
}
type Holder = Awaited<ReturnType<typeof newHolder>>

const alertOn = (endpointId: string | null) =>
  ({
    kind: 'alert-create',
    id: randomUUID(),
    type: 'coin.price',
    subject: 'bitcoin',
    rule: { above: 1 },
    armed: true,
    valueUsd: null,
    endpointId,
    createdAt: new Date(),
    most: 10,
  }) as const

/** A write of each kind that names rows of a holder. Those that remove rows come last. */
const writesOn = (of: Holder): Write[] => {
  const read = { portfolioId: of.manual, version: of.version }
  return [
    { kind: 'add', portfolioId: of.manual, id: randomUUID(), ...stated },
    { kind: 'rename', id: of.exchange, name: 'Mine' },
    { kind: 'cost-method', id: of.manual, method: 'lifo' },
    { kind: 'use-upload', id: of.upload },
    { kind: 'redeem', codeHash: of.codeHash },
    { kind: 'webhook-change', id: of.webhook, url: 'https://mine.test' },
    { kind: 'webhook-watch', id: of.webhook, watched: 'all', most },
    { kind: 'webhook-unwatch', id: of.webhook, watched: 'all' },
    { kind: 'webhook-rotate', id: of.webhook, sealed },
    { kind: 'webhook-test', id: of.webhook },
    { kind: 'webhook-replay', id: of.webhook, fromSeq: '1', throughSeq: '9' },
    alertOn(of.webhook),
    { kind: 'correct', ...read, ...stated, id: of.corrected, note: 'mine' },
    { kind: 'delete', ...read, id: of.deleted },
    { kind: 'alert-delete', ids: [of.alert] },
    { kind: 'webhook-delete', id: of.webhook },
    { kind: 'remove', id: of.manual },
  ]
}

const [own, other] = [await newHolder(), await newHolder()]

test.each(writesOn(other).map((write) => [write.kind, write] as const))(
  'S1 %s: rows of another account are as gone',
  async (_, write) => {
    await expect(apply(own.accountId, write)).rejects.toMatchObject({ code: 'SL001' })
  },
)

/** What the SQL writes, with the id that a write names a row by. */
const TABLES = {
  portfolios: 'id',
  exchange_connections: 'id',
  manual_transactions: 'id',
  import_uploads: 'id',
  connect_codes: `encode(hash, 'hex')`,
  webhook_endpoints: 'id',
  event_subscriptions: 'endpoint_id',
  alert_rules: 'coalesce(endpoint_id, id)',
}

/** They change no row of these tables, or only one that is so already. */
const WITHOUT_CHANGE: readonly string[] = ['webhook-watch', 'webhook-test', 'webhook-replay']

test.each(writesOn(own).map((write) => [write.kind, write] as const))(
  '%s: changes the own row that it names, and no other',
  async (kind, write) => {
    const changed = await changedRows(database, TABLES, () => apply(own.accountId, write))
    expect(changed.length > 0).toBe(!WITHOUT_CHANGE.includes(kind))
    const named = JSON.stringify(write)
    expect(changed.filter((id) => !named.includes(id))).toEqual([])
  },
)
