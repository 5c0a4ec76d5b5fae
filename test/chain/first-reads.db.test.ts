import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { getBalance } from '../../api/chain/get-balance.ts'
import { getTransactions } from '../../api/chain/get-transactions.ts'
import { getWalletAssets } from '../../api/nft/get-wallet-assets.ts'
import { getWalletDefi } from '../../api/defi/get-wallet-defi.ts'
import { getPlHistory } from '../../api/chain/get-pl-history.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import {
  activateNetworks,
  address,
  insertBalance,
  insertTransactions,
  insertWallet,
  hash,
  outboxOf,
} from '../setup/wallet-factories.ts'

const LONG_MS = 60_000
const database = await testDatabase()
const api = await startApi({ database, routes })
const patient = await startApi({
  database,
  routes,
  firstReads: { waitMs: LONG_MS, startsPerHour: 3, waitingPerAsker: 1 },
})
const { key } = await api.newAccount()
const [wallet, other] = [address(1), address(2)]
const AT = new Date('2026-03-10T10:00:00Z')

const workflowIds = async () => (await outboxOf(api.owner)).map(({ workflow_id }) => workflow_id)

beforeEach(async () => {
  await activateNetworks(api.owner, ['ethereum', 'base-wallet'])
  await sql`truncate outbox, first_syncs, balances, wallet_transactions, wallet_syncs, wallets cascade`.execute(
    api.owner,
  )
})

/** Stores what the first step of a sync stores. */
async function storeFirstBalances(networkId = 'ethereum') {
  const walletId = await insertWallet(api.owner, {
    address: wallet,
    syncs: { [networkId]: null },
    balances: { [networkId]: AT },
  })
  await insertBalance(api.owner, {
    walletId,
    networkId,
    coinId: 'ethereum',
    raw: '2000000000000000000',
    at: AT,
  })
  return walletId
}

const failSync = (networkId = 'ethereum') =>
  sql`
    with added as (insert into wallets (address) values (${wallet}) returning id)
    insert into wallet_syncs (wallet_id, network_id, failed_at, failure)
    select id, ${networkId}, now(), 'the source is down' from added`.execute(api.owner)

const ON_ETHEREUM = `address=${wallet}&connectionId=ethereum`

describe('the first read of a wallet', () => {
  test.each([
    [`/wallet/balance?${ON_ETHEREUM}`, 503],
    [`/wallet/balance/many?wallets=ethereum:${wallet}`, 503],
    [`/wallet/balances?wallets=ethereum:${wallet}`, 503],
    [`/wallet/defi?${ON_ETHEREUM}`, 503],
    [`/wallet/chart?${ON_ETHEREUM}&type=1m`, 503],
    [`/wallet/charts?wallets=ethereum:${wallet}&type=1m`, 200],
    [`/wallet/status?${ON_ETHEREUM}`, 200],
    [`/wallet/pl/history?${ON_ETHEREUM}&range=1m&interval=daily`, 200],
    [`/wallet/transactions?${ON_ETHEREUM}`, 409],
    [`/wallet/transactions?${ON_ETHEREUM}&coinId=ethereum`, 409],
    [`/wallet/pl?${ON_ETHEREUM}`, 409],
    [`/wallet/explain?${ON_ETHEREUM}&coinId=ethereum`, 409],
  ])('%s starts its sync once, and is %i while nothing is stored', async (path, status) => {
    for (let time = 0; time < 2; time++) expect((await api.get(path, key)).status).toBe(status)
    expect(await outboxOf(api.owner)).toEqual([
      {
        workflow: 'syncWallet',
        workflow_id: `sync:${wallet}:ethereum`,
        input: { address: wallet, networkId: 'ethereum' },
      },
    ])
  })

  test('of its NFTs starts the sync on every network of the address that has a source', async () => {
    await activateNetworks(api.owner, ['ethereum', 'base-wallet', 'solana'])
    expect((await api.get(`/nft/wallet/${wallet}/assets`, key)).status).toBe(503)
    expect(await workflowIds()).toEqual([`sync:${wallet}:ethereum`, `sync:${wallet}:base-wallet`])
  })

  test('waits for the balances, answers with them and is charged once', async () => {
    const account = await patient.newAccount()
    const read = patient.get(`/wallet/balance?${ON_ETHEREUM}`, account.key)
    await expect.poll(workflowIds).toHaveLength(1)
    await storeFirstBalances()
    const answer = await read
    expect([answer.status, await answer.json()]).toMatchObject([200, [{ coinId: 'ethereum', amount: 2 }]])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-credits-cost': '40',
      'x-data-as-of': AT.toISOString(),
      'x-sync-status': 'syncing',
      'x-sync-pending': `ethereum:${wallet}`,
    })
    const { rows } = await sql`select credits from ledger_entries where account_id = ${account.accountId}
      and kind = 'charge'`.execute(api.owner)
    expect(rows).toEqual([{ credits: '40' }])
  })

  test('is 503 with Retry-After and free when no balances are stored in time', async () => {
    const answer = await api.get(`/wallet/balance?${ON_ETHEREUM}`, key)
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('x-credits-cost')]).toEqual([
      503,
      '2',
      '0',
    ])
  })

  test('ends its wait when the first sync fails', async () => {
    const account = await patient.newAccount()
    const read = patient.get(`/wallet/balance?${ON_ETHEREUM}`, account.key)
    await expect.poll(workflowIds).toHaveLength(1)
    await failSync()
    expect((await read).status).toBe(503)
  })

  test('of all networks answers when each has balances or has failed', async () => {
    const account = await patient.newAccount()
    const read = patient.get(`/wallet/balance?address=${wallet}&connectionId=all`, account.key)
    await expect.poll(workflowIds).toHaveLength(2)
    const walletId = await storeFirstBalances()
    await sql`insert into wallet_syncs (wallet_id, network_id, failed_at, failure)
      values (${walletId}, 'base-wallet', now(), 'the source is down')`.execute(api.owner)
    const answer = await read
    expect([answer.status, answer.headers.get('x-sync-pending')]).toEqual([
      200,
      `ethereum:${wallet}, base-wallet:${wallet}`,
    ])
  })

  test('holds no connection while it waits, and one account waits in one place only', async () => {
    const account = await patient.newAccount()
    const waiting = patient.get(`/wallet/balance?${ON_ETHEREUM}`, account.key)
    await expect.poll(workflowIds).toHaveLength(1)
    expect((await patient.get(`/wallet/balance?${ON_ETHEREUM}`, account.key)).status).toBe(503)
    expect((await patient.get('/wallet/blockchains', account.key)).status).toBe(200)
    await storeFirstBalances()
    expect((await waiting).status).toBe(200)
  })

  test('is 429 and free beyond what an account may start in an hour; a PATCH starts it all the same', async () => {
    const account = await patient.newAccount()
    const statusOf = (n: number) =>
      patient.get(`/wallet/status?address=${address(n)}&connectionId=ethereum`, account.key)
    for (const n of [1, 2, 3, 3]) expect((await statusOf(n)).status).toBe(200)
    const refused = await statusOf(4)
    expect([
      refused.headers.get('x-credits-cost'),
      Number(refused.headers.get('retry-after')) > 3_000,
    ]).toEqual(['0', true])
    expect(await refusal(refused)).toEqual([429, 'Too many wallets were read for the first time'])
    const patched = await patient.get(
      `/wallet/transactions?address=${address(4)}&connectionId=ethereum`,
      account.key,
      { method: 'PATCH' },
    )
    expect(patched.status).toBe(200)
    expect((await statusOf(4)).status).toBe(200)
    const another = await patient.newAccount()
    expect(
      (await patient.get(`/wallet/status?address=${address(5)}&connectionId=ethereum`, another.key)).status,
    ).toBe(200)
  })
})

describe('a wallet with balances and without a complete history', () => {
  test('answers 200 with what is known, and names what is pending', async () => {
    await storeFirstBalances()
    const pending = [`ethereum:${wallet}`]
    const paid = (await api.newAccount({ plan: 'pro' })).key
    const read = (route: typeof getBalance, path: string) => endpoint(api, { route, key: paid })(path)
    expect((await read(getBalance, `/wallet/balance?${ON_ETHEREUM}`)).body).toMatchObject([{ amount: 2 }])
    expect((await read(getWalletDefi, `/wallet/defi?${ON_ETHEREUM}`)).body).toMatchObject({
      protocols: [],
      meta: { pending },
    })
    expect((await read(getWalletAssets, `/nft/wallet/${wallet}/assets`)).body).toMatchObject({
      data: [],
      meta: { itemCount: 0, pending: [...pending, `base-wallet:${wallet}`] },
    })
    const history = await read(getPlHistory, `/wallet/pl/history?${ON_ETHEREUM}&range=1m&interval=daily`)
    expect(history.body).toMatchObject({ result: [], meta: { from: null, pending } })
    expect(history.headers.get('x-sync-status')).toBe('syncing')
    for (const path of [`/wallet/transactions?${ON_ETHEREUM}`, `/wallet/pl?${ON_ETHEREUM}`])
      expect(await refusal(await api.get(path, key))).toEqual([409, 'Transactions not synced'])
  })

  test('Y16 with all, one of two networks complete is not called complete', async () => {
    const walletId = await insertWallet(api.owner, { address: wallet, syncs: { ethereum: AT } })
    await insertTransactions(api.owner, {
      walletId,
      transactions: [{ networkId: 'ethereum', at: AT, hash: hash(1) }],
    })
    const transactions = endpoint(api, { route: getTransactions, key })
    for (const filter of ['', '&hideUnidentifiedCoins=1']) {
      const { body, headers } = await transactions(
        `/wallet/transactions?address=${wallet}&connectionId=all${filter}`,
      )
      expect(body.result).toHaveLength(1)
      expect(body.meta).toEqual({ page: 1, limit: 20, pending: [`base-wallet:${wallet}`] })
      expect(headers.get('x-sync-status')).toBe('syncing')
    }
    expect(await workflowIds()).toEqual([`sync:${wallet}:base-wallet`])
    const whole = await transactions(`/wallet/transactions?${ON_ETHEREUM}`)
    expect([whole.body.meta, whole.headers.get('x-sync-status')]).toEqual([{ page: 1, limit: 20 }, null])
    const status = await api.get(`/wallet/status?address=${wallet}&connectionId=all`, key)
    expect(await status.json()).toEqual({ status: 'syncing', lastSyncedAt: expect.any(String) })
  })

  test('of several in one call, those without balances are named and not in the list', async () => {
    await storeFirstBalances()
    const answer = await api.get(`/wallet/balance/many?wallets=ethereum:${wallet},ethereum:${other}`, key)
    expect(await answer.json()).toMatchObject([{ address: wallet, balances: [{ amount: 2 }] }])
    expect(answer.headers.get('x-sync-pending')).toBe(`ethereum:${wallet}, ethereum:${other}`)
  })
})
