import { expect, test } from 'vitest'
import { ledgerPage } from '../../activities/exchanges/ledger-rows.ts'
import { exchangeSpec } from '../../activities/exchanges/exchanges.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { storePage } from '../../db/exchanges/cursors.ts'
import { deriveLegs } from '../../db/exchanges/derive-legs.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startAccountWorld } from './account-world.ts'

const database = await testDatabase()
const { api, openTo, signIn } = await startAccountWorld({ database, routes })
const [own, other] = [await api.newAccount(), await api.newAccount()]
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

/** An account at Kraken that took part in a lottery. */
async function connected(accountId: string): Promise<string> {
  const [connection] = await ask<{ id: string }>(
    `insert into exchange_connections (id, account_id, venue, fingerprint, version, active_version, synced_at, covered_to)
     values (uuidv7(), $1, 'kraken', sha256('x'), 1, 1, now(), now()) returning id`,
    [accountId],
  )
  await ask(`insert into portfolios (id, account_id, kind, name) values ($1, $2, 'exchange', 'Trading')`, [
    connection!.id,
    accountId,
  ])
  return connection!.id
}

const entry = (id: string, info: object) => ({
  id,
  info,
  timestamp: 1_772_323_200_000 + Number(id),
  direction: 'in',
  currency: 'ETH',
  amount: '2',
})

test('entries of a kind without a meaning are named to their owner, and count in the balance', async () => {
  const connectionId = await connected(own.accountId)
  await connected(other.accountId)
  const { ledger } = exchangeSpec('kraken').lists.find(({ name }) => name === 'ledger')!
  const { rows } = ledgerPage(
    [
      entry('1', { type: 'lottery' }),
      entry('2', { type: 'lottery' }),
      entry('3', { type: '<b>' }),
      entry('4', { type: 'staking' }),
    ],
    ledger!,
  )
  const ingest = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
  const cursor = { stream: 'ledger', symbol: '', position: {}, completeAt: new Date() }
  const page = { source: 'kraken', fetchedAt: new Date(), rows, cursor, before: null }
  await storePage(ingest.pool, { connectionId, ...page })
  await ask(
    `insert into exchange_balances (connection_id, asset, amount, source, fetched_at) values ($1, 'ETH', 8, 'kraken', now())`,
    [connectionId],
  )
  await deriveLegs(ingest.pool, { connectionId, statedAt: new Date() })
  await ingest.close()
  // The balance needs no opening.
  expect(
    await ask(`select kind, unknown_kind from exchange_transactions where connection_id = $1 order by key`, [
      connectionId,
    ]),
  ).toEqual([
    { kind: 'adjustment', unknown_kind: 'lottery' },
    { kind: 'adjustment', unknown_kind: 'lottery' },
    { kind: 'adjustment', unknown_kind: '<b>' },
    { kind: 'reward', unknown_kind: null },
  ])

  await openTo(own.accountId)
  const { text } = await (await signIn()).browser.get('/account/connections')
  expect(text).toContain('lottery (2), &#60;b&#62; (1)')
  await openTo(other.accountId)
  expect((await (await signIn()).browser.get('/account/connections')).text).not.toContain('lottery')
})
