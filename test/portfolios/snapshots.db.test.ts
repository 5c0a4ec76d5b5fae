import { beforeAll, describe, expect, test } from 'vitest'
import { writeSnapshots } from '../../activities/pnl/write-snapshots.ts'
import { getSnapshotItems } from '../../api/portfolios/get-snapshot-items.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { dueSnapshots } from '../../db/portfolios/write-snapshots.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { whileUncommitted } from '../setup/while-uncommitted.ts'
import { activateNetworks, address } from '../setup/wallet-factories.ts'
import { at, insertMarket, NOW, portfolioWorld } from './portfolio-world.ts'

// Holdings of portfolios at each midnight: written once, never changed, and returned with their changes.

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
const { key, accountId } = await api.newAccount()
const list = endpoint(api, { route: getSnapshotItems, key })
const items = async (rest = '') => (await list(`/portfolio/snapshot/items?${rest}`)).body.result
const MIDNIGHT = at('10T00:00:00')
const ids = { wallet: '', manual: '' }

/** Does what the schedule does. Returns the number of snapshots written per portfolio. */
async function write(midnight = MIDNIGHT, statedBefore = NOW): Promise<Record<string, number>> {
  const { db, pool } = ingest
  const written: Record<string, number> = {}
  for (const target of await dueSnapshots(db, { midnight, statedBefore, limit: 100 }))
    written[target.portfolioId] = await writeSnapshots({ pool, target, toMs: midnight.getTime(), now: NOW })
  return written
}

beforeAll(async () => {
  await insertMarket(api.owner, database.ownerUrl)
  await activateNetworks(api.owner, ['ethereum'])
  await world.wallet(address(1), 'ethereum', [
    { at: at('06T06:00:00'), coinId: 'ethereum', amount: 2, priceUsd: 2_000 },
    { at: at('08T06:00:00'), coinId: 'bitcoin', amount: 0.5, priceUsd: 57_000 },
    { at: at('09T06:00:00'), coinId: 'ethereum', amount: -2, priceUsd: 2_000 },
  ])
  ids.wallet = await world.walletPortfolio(accountId, address(1), 'ethereum')
  ids.manual = await world.manualPortfolio(accountId, [
    { at: at('07T06:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 56_000 },
  ])
  return () => ingest.close()
})

test('writes no snapshots of days that are being recomputed', async () => {
  const due = await dueSnapshots(ingest.db, { midnight: MIDNIGHT, statedBefore: NOW, limit: 100 })
  const target = due.find(({ portfolioId }) => portfolioId === ids.wallet)!
  const written = await whileUncommitted(
    database.ownerUrl,
    `update pl_states set dirty_from = '2026-01-01' where book_id = ${target.bookId}`,
    () => writeSnapshots({ pool: ingest.pool, target, toMs: MIDNIGHT.getTime(), now: NOW }),
  )
  expect(written).toBe(0)
  await query(database.ownerUrl, `update pl_states set dirty_from = null where book_id = ${target.bookId}`)
})

test('fills the past days once, after which nothing is due', async () => {
  expect(await write(at('09T00:00:00'))).toEqual({ [ids.wallet]: 3, [ids.manual]: 2 })
  expect(await write(at('09T00:00:00'))).toEqual({})
  expect(await write()).toEqual({ [ids.wallet]: 1, [ids.manual]: 1 })
  expect(await write()).toEqual({})
  const rows = await query<{ source: string; fetched_at: Date }>(
    database.ownerUrl,
    'select distinct source, fetched_at from portfolio_snapshots',
  )
  expect(rows).toEqual([{ source: 'pl_days', fetched_at: NOW }])
})

test('returns snapshots of a wallet, oldest first, with the changes since the midnight before', async () => {
  const result = await items(`portfolioId=${ids.wallet}`)
  expect(result.map((one: any) => [one.date, one.totalBalance, one.totalBalanceChange])).toEqual([
    ['2026-03-07T00:00:00.000Z', 4_000, 4_000],
    ['2026-03-08T00:00:00.000Z', 4_000, 0],
    ['2026-03-09T00:00:00.000Z', 33_000, 29_000],
    ['2026-03-10T00:00:00.000Z', 29_500, -3_500],
  ])
  const [first, , third, fourth] = result
  expect(first.totalBalancePercentChange).toBe(0)
  expect(third.totalBalancePercentChange).toBe(725)
  expect(third.coinBalances.map((coin: any) => [coin.symbol, coin.quantity, coin.quantityChange])).toEqual([
    ['BTC', 0.5, 0.5],
    ['ETH', 2, 0],
  ])
  expect(fourth.coinBalances).toEqual([
    {
      symbol: 'BTC',
      icon: 'https://icons.example/bitcoin.png',
      quantity: 0.5,
      balance: 29_500,
      quantityChange: 0,
      balanceChange: 500,
      pricePerUnit: 59_000,
      pricePercentChange: expect.closeTo((1_000 / 58_000) * 100, 9),
    },
    {
      symbol: 'ETH',
      icon: 'https://icons.example/ethereum.png',
      quantity: 0,
      balance: 0,
      quantityChange: -2,
      balanceChange: -4_000,
      pricePerUnit: 0,
      pricePercentChange: 0,
    },
  ])
})

test('compares with the midnight before also in pages, windows and for single coins', async () => {
  const all = await items(`portfolioId=${ids.wallet}`)
  expect(await items(`portfolioId=${ids.wallet}&limit=3&page=2`)).toEqual(all.slice(3))
  expect(await items(`portfolioId=${ids.wallet}&from=2026-03-08&to=2026-03-09`)).toEqual(all.slice(1, 3))
  expect(await items(`portfolioId=${ids.wallet}&from=2026-03-11`)).toEqual([])
  const ethereum = await items(`portfolioId=${ids.wallet}&coinIds=ethereum&from=2026-03-10`)
  expect(ethereum).toMatchObject([
    { totalBalance: 0, totalBalanceChange: -4_000, totalBalancePercentChange: -100 },
  ])
  expect(ethereum[0].coinBalances.length).toBe(1)
})

test('sums all portfolios of an account at each midnight', async () => {
  const [together, wallet, manual] = await Promise.all([
    items(),
    items(`portfolioId=${ids.wallet}`),
    items(`portfolioId=${ids.manual}`),
  ])
  expect(together.length).toBe(4)
  for (const { date, totalBalance, totalBalanceChange, coinBalances } of together) {
    const own = [...wallet, ...manual].filter((one: any) => one.date === date)
    const sum = (pick: (one: any) => number) => own.reduce((total, one) => total + pick(one), 0)
    expect(totalBalance).toBeCloseTo(
      sum((one) => one.totalBalance),
      9,
    )
    expect(totalBalanceChange).toBeCloseTo(
      sum((one) => one.totalBalanceChange),
      9,
    )
    const bitcoin = coinBalances.find((coin: any) => coin.symbol === 'BTC')
    const quantities = own.flatMap((one) => one.coinBalances).filter((coin: any) => coin.symbol === 'BTC')
    expect(bitcoin?.quantity ?? 0).toBe(
      quantities.reduce((total: number, coin: any) => total + coin.quantity, 0),
    )
  }
})

describe('a stored snapshot', () => {
  test('does not change with later transactions of earlier days, which only fill the days before it', async () => {
    const before = await items(`portfolioId=${ids.manual}`)
    await world.state(ids.manual, [{ at: at('05T06:00:00'), coinId: 'bitcoin', count: 2, priceUsd: 54_000 }])
    // The owner may still be adding transactions.
    expect(await write(MIDNIGHT, at('08T00:00:00'))).toEqual({})
    expect(await write()).toEqual({ [ids.manual]: 2 })
    const after = await items(`portfolioId=${ids.manual}`)
    expect(after.map((one: any) => [one.date.slice(8, 10), one.totalBalance])).toEqual([
      ['06', 110_000],
      ['07', 112_000],
      ['08', 57_000],
      ['09', 58_000],
      ['10', 59_000],
    ])
    expect(after.slice(3)).toEqual(before.slice(1))
  })

  test('cannot be changed or deleted by the worker', async () => {
    for (const text of ['update portfolio_snapshots set source = source', 'delete from portfolio_snapshots'])
      await expect(query(database.ingestUrl, text)).rejects.toThrow('permission denied')
  })

  test('exists for every day of a history of years', async () => {
    const other = await api.newAccount()
    const id = await world.manualPortfolio(other.accountId, [
      { at: new Date(MIDNIGHT.getTime() - 800 * DAY_MS), coinId: 'nothing-priced', count: 3, priceUsd: null },
    ])
    expect((await write())[id]).toBe(800)
    const { body } = await endpoint(api, { route: getSnapshotItems, key: other.key })(
      '/portfolio/snapshot/items?limit=100&page=8',
    )
    expect(body.result.length).toBe(100)
    expect(body.result[0].coinBalances).toEqual([
      {
        symbol: '',
        icon: '',
        quantity: 3,
        balance: 0,
        quantityChange: 0,
        balanceChange: 0,
        pricePerUnit: 0,
        pricePercentChange: 0,
      },
    ])
  })
})
