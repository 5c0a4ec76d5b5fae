import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { getWalletStatus } from '../../api/chain/get-status.ts'
import { patchTransactions } from '../../api/chain/patch-transactions.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { activateNetworks, address, insertWallet, outboxOf } from '../setup/wallet-factories.ts'

const database = await testDatabase()
const api = await startApi({ database, routes })
const { key } = await api.newAccount()
const patchEndpoint = endpoint(api, { route: patchTransactions, key })
const statusEndpoint = endpoint(api, { route: getWalletStatus, key })
const [first, second] = [address(1), address(2)]

const patch = (query: string, body?: unknown) =>
  patchEndpoint(`/wallet/transactions${query}`, {
    method: 'PATCH',
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })
const refused = async (query: string, body?: unknown) =>
  refusal(
    await api.get(`/wallet/transactions${query}`, key, {
      method: 'PATCH',
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    }),
  )
const statusOf = async (query: string) => (await statusEndpoint(`/wallet/status?${query}`)).body.status
const workflowIds = async () => (await outboxOf(api.owner)).map(({ workflow_id }) => workflow_id)

beforeEach(async () => {
  await activateNetworks(api.owner, ['ethereum', 'base-wallet'])
  await sql`truncate outbox, first_syncs, wallet_syncs, wallets cascade`.execute(api.owner)
})

describe('PATCH /wallet/transactions', () => {
  test('puts one sync per wallet and network into the outbox and returns syncing', async () => {
    const { body, credits } = await patch(`?address=${first}&connectionId=ethereum`)
    expect(body).toEqual({ status: 'syncing' })
    expect(credits).toBe(50)
    expect(await outboxOf(api.owner)).toEqual([
      {
        workflow: 'syncWallet',
        workflow_id: `sync:${first}:ethereum`,
        input: { address: first, networkId: 'ethereum' },
      },
    ])
  })

  test('all means the active networks and costs 500; a network listed as well costs 50 more', async () => {
    const { credits } = await patch(`?address=${first}&connectionId=all,ethereum`)
    expect(credits).toBe(550)
    expect(await workflowIds()).toEqual([`sync:${first}:ethereum`, `sync:${first}:base-wallet`])
  })

  test('accepts several wallets in the body and charges each by its network', async () => {
    const { credits } = await patch('', {
      wallets: [
        { address: first.toUpperCase().replace('0X', '0x'), connectionId: 'ethereum' },
        { address: first, blockchain: 'ethereum' },
        { address: second, connectionId: 'base-wallet', blockchain: 'all' },
        { address: second, blockchain: 'all' },
      ],
    })
    expect(credits).toBe(50 + 50 + 500)
    expect(await workflowIds()).toEqual([
      `sync:${first}:ethereum`,
      `sync:${second}:base-wallet`,
      `sync:${second}:ethereum`,
    ])
  })

  test('returns synced for a wallet synced just now; an older one is synced again', async () => {
    const now = new Date()
    await insertWallet(api.owner, {
      address: first,
      syncs: { ethereum: now, 'base-wallet': new Date(now.getTime() - 60_000) },
    })
    const fresh = await patch(`?address=${first}&connectionId=ethereum`)
    expect(fresh.body).toEqual({ status: 'synced' })
    expect(fresh.credits).toBe(50)
    expect(await workflowIds()).toEqual([])
    expect((await patch(`?address=${first}&connectionId=all`)).body).toEqual({ status: 'syncing' })
    expect(await workflowIds()).toEqual([`sync:${first}:base-wallet`])
  })

  test('Y12 a requested sync starts even when the clock of the host is a day behind', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000)
    await insertWallet(api.owner, { address: first, syncs: { ethereum: tomorrow } })
    expect((await patch(`?address=${first}&connectionId=ethereum`)).body).toEqual({ status: 'syncing' })
    expect(await workflowIds()).toEqual([`sync:${first}:ethereum`])
  })

  test('takes several networks in one item of the body, and query and body that name the same', async () => {
    const both = { wallets: [{ address: first, connectionId: 'ethereum,base-wallet' }] }
    const answer = await patch(`?address=${first}&connectionId=base-wallet,ethereum`, both)
    expect([answer.body, answer.credits]).toEqual([{ status: 'syncing' }, 100])
    expect((await workflowIds()).sort()).toEqual([`sync:${first}:base-wallet`, `sync:${first}:ethereum`])
  })

  test.each([{}, { wallets: [] }])('takes the query when the body %j names nothing', async (body) => {
    expect((await patch(`?address=${first}&connectionId=ethereum`, body)).body).toEqual({ status: 'syncing' })
    expect(await workflowIds()).toEqual([`sync:${first}:ethereum`])
  })

  test.each<[string, string, unknown, string]>([
    ['no wallet', '', undefined, 'Invalid parameter: address'],
    ['no network', `?address=${first}`, undefined, 'Invalid parameter: connectionId'],
    ['no address', '?connectionId=ethereum', undefined, 'Invalid parameter: address'],
    ['an empty list', '', { wallets: [] }, 'Invalid parameter: address'],
    ['an empty object', '', {}, 'Invalid parameter: address'],
    ['a list of null', '', { wallets: [null] }, 'Invalid parameter: wallets'],
    ['a nested list', '', { wallets: [[]] }, 'Invalid parameter: wallets'],
    [
      'a number as address',
      '',
      { wallets: [{ address: 1, connectionId: 'ethereum' }] },
      'Invalid parameter: wallets',
    ],
    ['no network in the body', '', { wallets: [{ address: first }] }, 'Invalid parameter: wallets'],
    [
      'an unknown key in the body',
      '',
      { wallets: [{ address: first, connectionId: 'ethereum', a: 1 }] },
      'Invalid parameter: wallets',
    ],
    [
      '1,001 wallets',
      '',
      {
        wallets: Array.from({ length: 1_001 }, (_, n) => ({ address: address(n), connectionId: 'ethereum' })),
      },
      'Invalid parameter: wallets',
    ],
    [
      'body and query that differ',
      `?address=${first}&connectionId=ethereum`,
      { wallets: [{ address: first, connectionId: 'base-wallet' }] },
      'Wallets are named in both query and body',
    ],
    [
      'a network without a source',
      `?address=${first}&connectionId=polygon-wallet`,
      undefined,
      'Network not available: polygon-wallet',
    ],
  ])('%s returns 400 and starts nothing', async (_name, query, body, message) => {
    expect(await refused(query, body)).toEqual([400, message])
    expect(await workflowIds()).toEqual([])
  })

  test('returns 503 without any source', async () => {
    await api.owner.updateTable('networks').set({ active: false }).execute()
    expect((await refused(`?address=${first}&connectionId=all`))[0]).toBe(503)
  })
})

describe('GET /wallet/status', () => {
  test('Y16 returns syncing from the request until every listed network is synced', async () => {
    expect(await statusOf(`address=${first}&connectionId=ethereum`)).toBe('syncing')
    await patch(`?address=${first}&connectionId=all`)
    expect(await statusOf(`address=${first}&connectionId=all`)).toBe('syncing')
    const soon = new Date(Date.now() + 1_000)
    await insertWallet(api.owner, { address: first, syncs: { ethereum: soon, 'base-wallet': null } })
    expect(await statusOf(`address=${first}&connectionId=ethereum`)).toBe('synced')
    expect(await statusOf(`address=${first}&connectionId=ethereum,base-wallet`)).toBe('syncing')
    expect(await statusOf(`address=${first}&connectionId=all`)).toBe('syncing')
    await api.owner.updateTable('wallet_syncs').set({ synced_at: soon }).execute()
    expect(await statusOf(`address=${first}&blockchain=all`)).toBe('synced')
  })

  test('returns 400 for a network without a source, which no sync will ever reach', async () =>
    expect(
      await refusal(await api.get(`/wallet/status?address=${first}&connectionId=polygon-wallet`, key)),
    ).toEqual([400, 'Network not available: polygon-wallet']))

  test('returns syncing again after a request that follows the last sync', async () => {
    await activateNetworks(api.owner, ['ethereum'])
    await insertWallet(api.owner, { address: first, syncs: { ethereum: new Date('2026-01-01T00:00:00Z') } })
    // The request that this sync has answered.
    await sql`insert into outbox (workflow, workflow_id, input, created_at)
      values ('syncWallet', ${`sync:${first}:ethereum`}, '{}', '2025-12-31')`.execute(api.owner)
    expect(await statusOf(`address=${first}&connectionId=all`)).toBe('synced')
    await patch(`?address=${first}&connectionId=ethereum`)
    expect(await statusOf(`address=${first}&connectionId=all`)).toBe('syncing')
  })

  test('costs 3 credits per network and 30 for all', async () => {
    const cost = async (networks: string) =>
      (await statusEndpoint(`/wallet/status?address=${first}&connectionId=${networks}`)).credits
    expect(await cost('ethereum')).toBe(3)
    expect(await cost('ethereum,base-wallet,all')).toBe(36)
  })

  test('returns 400 for an invalid address', async () =>
    expect(await refusal(await api.get('/wallet/status?address=0x12&connectionId=ethereum', key))).toEqual([
      400,
      'Invalid parameter: address',
    ]))
})
