import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { address } from '../setup/wallet-factories.ts'
import { startEventsWorld } from './events-world.ts'

const database = await testDatabase()
const world = await startEventsWorld(database)
const { api, happen, ping, connect } = world
afterAll(world.close)
const wallet = await world.newWallet(address(1))

interface Page {
  meta: { limit: number; next: string | null }
  result: { seq: string; type: string; data: { amount?: string } }[]
}
interface Account {
  accountId: string
  key: string
}
let me: Account
let other: Account

beforeEach(async () => {
  await query(
    database.ownerUrl,
    'truncate event_sources, event_subscriptions, account_events, portfolios, dropped_events cascade',
  )
  ;[me, other] = [await api.newAccount(), await api.newAccount()]
  await connect(me.accountId, wallet.address)
})

const read = async ({ key }: Account, search = '') => {
  const response = await api.get(`/events${search}`, key)
  return { response, page: (await response.json()) as Page & { message: string } }
}

describe('GET /events', () => {
  test('the first read subscribes the account to the wallets of its portfolios, for 3 credits', async () => {
    await happen(wallet.walletId)
    const first = await read(me)
    expect(first.response.headers.get('x-credits-cost')).toBe('3')
    expect(first.page).toEqual({ meta: { limit: 20, next: null }, result: [] })
    await happen(wallet.walletId)
    const { page } = await read(me)
    expect(page.result.map(({ data }) => data.amount)).toEqual([world.newest()])
    expect(page.meta.next).toBe(page.result[0]!.seq)
  })

  test('pages by the number of the last event, and by type', async () => {
    await read(me)
    await happen(wallet.walletId, { times: 5 })
    await ping(me.accountId)
    const { page: one } = await read(me, '?limit=2')
    const { page: two } = await read(me, `?limit=100&after=${one.meta.next}`)
    expect([...one.result, ...two.result].map(({ type }) => type)).toEqual([
      ...Array<string>(5).fill('wallet.balance'),
      'test.ping',
    ])
    expect((await read(me, `?after=${two.meta.next}`)).page).toEqual({
      meta: { limit: 20, next: two.meta.next },
      result: [],
    })
    expect((await read(me, '?types=test.ping')).page.result).toHaveLength(1)
  })

  test('the bytes of a body are those that were stored', async () => {
    await read(me)
    await happen(wallet.walletId)
    const [{ body }] = (await query<{ body: string }>(
      database.ownerUrl,
      'select body from account_events',
    )) as [{ body: string }]
    const response = await api.get('/events', me.key)
    expect(await response.text()).toContain(`"result":[${body}]}`)
  })

  test('case 46 a number of the event of another account shows nothing of it', async () => {
    await Promise.all([read(me), read(other)])
    await happen(wallet.walletId)
    await ping(other.accountId)
    const { page } = await read(other)
    expect(page.result.map(({ type }) => type)).toEqual(['test.ping'])
    const foreign = (BigInt(page.result[0]!.seq) - 1n).toString()
    expect((await read(other, `?after=${foreign}`)).page.result).toEqual(page.result)
  })

  test('only the types that were asked for are made and paid', async () => {
    await read(me, '?types=wallet.synced')
    await happen(wallet.walletId)
    expect((await read(me, '?types=wallet.synced')).page.result).toEqual([])
    await read(me)
    await happen(wallet.walletId)
    expect((await read(me)).page.result).toHaveLength(1)
    const rows = await query(
      database.ownerUrl,
      'select types from event_subscriptions order by types nulls last',
    )
    expect(rows).toEqual([{ types: ['wallet.synced'] }, { types: null }])
  })

  test('case 46 410 after numbers whose events are gone, with the oldest that is kept; 400 after later ones', async () => {
    await read(me)
    await happen(wallet.walletId, { times: 3 })
    const { page } = await read(me)
    const [gone, oldest, newest] = page.result.map(({ seq }) => seq) as [string, string, string]
    await query(database.ownerUrl, `delete from account_events where seq = ${gone}`)
    await query(database.ownerUrl, `insert into dropped_events values ('${me.accountId}', ${gone})`)
    const late = await read(me, `?after=${BigInt(gone) - 1n}`)
    expect(late.response.status).toBe(410)
    expect(late.response.headers.get('x-oldest-event')).toBe(oldest)
    expect(late.page.message).toBe(`Events before number ${oldest} are no longer kept`)
    expect((await read(me, `?after=${gone}`)).page.result).toHaveLength(2)
    expect((await read(me)).page.result).toHaveLength(2)
    const future = await read(me, `?after=${BigInt(newest) + 1n}`)
    expect(future.response.status).toBe(400)
    expect(future.page.message).toMatch(/^Invalid parameter: after\. It must be the number of an event/)
    // Another account has lost nothing.
    expect((await read(other, `?after=0`)).response.status).toBe(200)
  })

  test('a subscription ends three days after the last read', async () => {
    await read(me)
    await query(
      database.ownerUrl,
      `update event_subscriptions set expires_at = expires_at - interval '71 hours'`,
    )
    await read(me)
    await happen(wallet.walletId)
    expect((await read(me)).page.result).toHaveLength(1)
    await query(database.ownerUrl, `update event_subscriptions set expires_at = now()`)
    await happen(wallet.walletId)
    expect((await read(me)).page.result).toHaveLength(1)
  })

  test('400, 401', async () => {
    expect((await read(me, '?after=-1')).response.status).toBe(400)
    expect((await read(me, '?types=wallet.unknown')).response.status).toBe(400)
    expect((await api.get('/events', 'wrong')).status).toBe(401)
  })
})
