import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { getBalance } from '../../api/chain/get-balance.ts'
import { getTransactions } from '../../api/chain/get-transactions.ts'
import { patchTransactions } from '../../api/chain/patch-transactions.ts'
import { getPortfolioStatus } from '../../api/portfolios/get-status.ts'
import { patchPortfolioSync } from '../../api/portfolios/patch-sync.ts'
import { postPortfolioWallet } from '../../api/portfolios/post-wallet.ts'
import { routes } from '../../api/routes.ts'
import { noteAtHead } from '../../db/chain/follows.ts'
import { FORMAT_VERSION } from '../../db/chain/stored-transaction.ts'
import { dueSyncs } from '../../db/chain/syncs.ts'
import { markToVerify } from '../../db/chain/touched.ts'
import { openDb } from '../../db/connect.ts'
import { holdersToSweep, markedWallets } from '../../db/defi/due-wallets.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { coverWallet, insertFollow, touchWallet } from '../setup/follow-factories.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address, insertWallet, outboxOf } from '../setup/wallet-factories.ts'

/** What requests for a followed wallet write and start. */

const database = await testDatabase()
const api = await startApi({ database, routes })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
afterAll(() => ingest.close())
const { key } = await api.newAccount()
const [wallet, other] = [address(1), address(2)]
const ETHEREUM = { networkId: 'ethereum' }
const KEY = { address: wallet, ...ETHEREUM }
const DAY = 86_400

const sync = endpoint(api, { route: patchTransactions, key })
const patch = async (networks = 'ethereum') => {
  const { body, credits } = await sync(`/wallet/transactions?address=${wallet}&connectionId=${networks}`, {
    method: 'PATCH',
  })
  expect(credits).toBe(networks.split(',').length * 50)
  return body.status
}
const commands = async () => (await outboxOf(api.owner)).map(({ workflow, input }) => [workflow, input])
const VERIFICATION = ['verifyWallets', { wallets: [KEY] }]
const SYNC = ['syncWallet', KEY]
let walletId = ''

/** A followed wallet whose balances were compared with the chain `verified` seconds ago. */
async function follow({ verified = 60, age = 0 } = {}): Promise<void> {
  await insertFollow(api.owner, { ...ETHEREUM, age })
  await coverWallet(api.owner, { walletId, ...ETHEREUM })
  await query(
    database.ownerUrl,
    `update wallet_syncs set balances_at = now() - $1 * interval '1 second', format_version = $2`,
    [verified, FORMAT_VERSION],
  )
}

beforeEach(async () => {
  await activateNetworks(api.owner, ['ethereum', 'base-wallet'])
  await sql`truncate outbox, first_syncs, network_follows, touched_wallets, portfolios, wallet_syncs,
    wallets, past.wallet_syncs cascade`.execute(api.owner)
  const day = new Date(Date.now() - DAY * 1_000)
  walletId = await insertWallet(api.owner, { address: wallet, syncs: { ethereum: day } })
})

describe('PATCH /wallet/transactions', () => {
  test('answers synced for a followed wallet and starts nothing', async () => {
    await follow()
    expect([await patch(), await commands()]).toEqual(['synced', []])
  })

  test('has the balances compared, once a request, if they were not for five minutes', async () => {
    await follow({ verified: 400 })
    expect([await patch(), await commands()]).toEqual(['synced', [VERIFICATION]])
  })

  test('answers syncing without a command while the follower is behind', async () => {
    await follow({ age: 100 })
    expect([await patch(), await commands()]).toEqual(['syncing', []])
  })

  test('answers syncing without a command while new transactions wait to be derived', async () => {
    await follow()
    await touchWallet(api.owner, { walletId, ...ETHEREUM, age: 60 })
    expect([await patch(), await commands()]).toEqual(['syncing', []])
  })

  test.each<[string, () => Promise<void>]>([
    ['the follower has been behind for long', () => follow({ age: 400 })],
    ['the follower has still to take it up', () => insertFollow(api.owner, ETHEREUM)],
    [
      'its new transactions wait for long',
      async () => {
        await follow()
        await touchWallet(api.owner, { walletId, ...ETHEREUM, age: 400 })
      },
    ],
  ])('starts a sync if %s', async (_name, make) => {
    await make()
    expect([await patch(), await commands()]).toEqual(['syncing', [SYNC]])
  })

  test('starts a sync on the networks that nobody follows only', async () => {
    await follow()
    expect(await patch('ethereum,base-wallet')).toBe('syncing')
    expect(await commands()).toEqual([['syncWallet', { address: wallet, networkId: 'base-wallet' }]])
  })
})

test('a followed wallet of a portfolio is connected and synced without a sync', async () => {
  await follow({ verified: 400 })
  const post = endpoint(api, { route: postPortfolioWallet, key })
  const { body } = await post('/portfolio/wallet', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: wallet, connectionId: 'ethereum' }),
  })
  expect((await commands()).filter(([workflow]) => workflow === 'syncWallet')).toEqual([])
  await query(database.ownerUrl, 'truncate outbox')
  await endpoint(api, { route: patchPortfolioSync, key })('/portfolio/sync', { method: 'PATCH' })
  expect(await commands()).toEqual([VERIFICATION])
  await follow({ age: 100 })
  const status = endpoint(api, { route: getPortfolioStatus, key })
  expect((await status(`/portfolio/status?portfolioId=${body.portfolioId}`)).body).toEqual({
    status: 'syncing',
    message: 'The newest blocks on ethereum are being read.',
  })
})

test('nobody writes for a quiet wallet, however often it is read', async () => {
  await follow()
  await query(
    database.ownerUrl,
    `insert into defi_reads (wallet_id, network_id, source, fetched_at)
     values ($1, 'ethereum', 'test', now() - interval '1 hour')`,
    [walletId],
  )
  await query(database.ownerUrl, 'truncate defi_marks')
  const versions = () =>
    query(
      database.ownerUrl,
      `select (select array_agg(xmin::text) from wallet_syncs) as syncs, (select count(*) from past.wallet_syncs) as past,
         (select count(*) from outbox) as outbox, (select count(*) from touched_wallets) as touched`,
    )
  const before = await versions()
  const path = `address=${wallet}&connectionId=ethereum`
  for (let round = 0; round < 3; round++) {
    await noteAtHead(ingest.pool, { ...ETHEREUM, epoch: '0' })
    expect(
      await dueSyncs(ingest.pool, {
        olderThanSeconds: 300,
        limit: 9,
        formatVersion: FORMAT_VERSION,
        gapNetworks: ['ethereum'],
      }),
    ).toEqual([])
    expect(await markedWallets(ingest.pool, { limit: 9 })).toEqual([])
    expect(await holdersToSweep(ingest.pool, { before: new Date(Date.now() - 300_000), limit: 9 })).toEqual(
      [],
    )
    const { headers } = await endpoint(api, { route: getTransactions, key })(`/wallet/transactions?${path}`)
    expect(Date.now() - Date.parse(headers.get('x-data-as-of')!)).toBeLessThan(30_000)
    await endpoint(api, { route: getBalance, key })(`/wallet/balance?${path}`)
    expect(await patch()).toBe('synced')
  }
  expect(await versions()).toEqual(before)
})

describe('a verification', () => {
  const verify = () => markToVerify(ingest.pool, [KEY, { address: other, ...ETHEREUM }])
  const marks = () =>
    query(
      database.ownerUrl,
      'select from_block::int as "from", through_block::int as through, reason from touched_wallets',
    )

  test('marks the wallet at the block of the follower, and is not repeated', async () => {
    await follow({ verified: 400 })
    expect([await verify(), await marks()]).toEqual([1, [{ from: 100, through: 100, reason: 'verify' }]])
    await query(database.ownerUrl, 'delete from touched_wallets')
    expect([await verify(), await marks()]).toEqual([0, []])
    expect([await patch(), await commands()]).toEqual(['synced', []])
  })

  test('of a touched wallet goes with its blocks, and is not more than a reorg asks for', async () => {
    await follow({ verified: 400 })
    await touchWallet(api.owner, { walletId, ...ETHEREUM, age: 1, block: 98 })
    await verify()
    expect(await marks()).toEqual([{ from: 98, through: 98, reason: 'verify' }])
    await follow({ verified: 400 })
    await query(database.ownerUrl, `update touched_wallets set reason = 'reorg'`)
    await verify()
    expect(await marks()).toEqual([{ from: 98, through: 98, reason: 'reorg' }])
  })

  test('passes by wallets that nobody follows', async () => {
    expect([await verify(), await marks()]).toEqual([0, []])
  })
})
