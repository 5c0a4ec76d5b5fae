import { beforeAll, expect, test } from 'vitest'
import { foldScope } from '../../activities/pnl/fold-scope.ts'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import { settleScopes } from '../../activities/pnl/settle-scopes.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { writeDefiRead } from '../../db/defi/write-positions.ts'
import { deriveLegs } from '../../db/exchanges/derive-legs.ts'
import { type BookKey, openBook, markBookDirty } from '../../db/pnl/books.ts'
import { dirtyFolds } from '../../db/pnl/lots/folds.ts'
import { type Change, lockScopes } from '../../db/pnl/scopes.ts'
import { noteChanges } from '../../db/pnl/valuation/price-changes.ts'
import { setCostMethod } from '../../db/portfolios/operator.ts'
import { priceTransactions } from '../../db/portfolios/price-transactions.ts'
import { transact } from '../../db/transact.ts'
import { insertMovements } from '../pnl/world.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import {
  activateNetworks,
  address,
  hash,
  insertTransactions,
  insertWallet,
} from '../setup/wallet-factories.ts'
import { at, insertMarket, NOW, portfolioWorld } from './portfolio-world.ts'

// Reads between all steps of a computation. An answer that may be of another state than the others says so,
// and the status says `synced` only when none does.

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
const { key, accountId } = await api.newAccount({ plan: 'pro' })
const W = address(1)
const run = (text: string, values: unknown[] = []) => query(database.ownerUrl, text, values)
const ids = { wallet: '', exchange: '', manual: '' }
let walletId: string
let transactions = 0

/** Stores a transaction of the wallet, as one step of its sync commits it. */
async function receive(instant: Date, ether: number): Promise<void> {
  const txHash = hash(++transactions)
  const networkId = 'ethereum'
  const raw = BigInt(ether * 1e6) * 10n ** 12n
  await insertMovements(ingest.pool, [
    {
      walletId,
      networkId,
      atMs: instant.getTime(),
      txHash,
      seq: 0,
      role: 'transfer',
      coinId: networkId,
      raw,
      priceUsd: '2000',
    },
  ])
  const main = { coinId: networkId, symbol: 'ETH', count: String(ether), valueUsd: String(2_000 * ether) }
  await insertTransactions(api.owner, {
    walletId,
    transactions: [{ networkId, at: instant, hash: txHash, type: 'deposit', main }],
  })
  await markBookDirty({ db: ingest.db, book: { walletId, networkId }, from: instant })
}

const recompute = (book: BookKey) => recomputeBook({ pool: ingest.pool, book, nowMs: NOW.getTime() })
/** Folds one dirty fold after the other, with `between` after each. */
async function fold(change: Change, between: (left: number) => Promise<void>): Promise<void> {
  const foldIds = await dirtyFolds(ingest.db, change)
  for (const [index, foldId] of foldIds.entries()) {
    await foldScope({ pool: ingest.pool, foldId, nowMs: NOW.getTime() })
    await between(foldIds.length - 1 - index)
  }
}
const computed = async (book: BookKey) => {
  await recompute(book)
  await fold({ bookId: (await openBook(ingest.db, book)).id }, async () => {})
}

const readDefi = () =>
  transact(ingest.pool, ({ client }) =>
    writeDefiRead(client, {
      walletId,
      networkId: 'ethereum',
      positions: [],
      block: { number: 1, hash: hash(1), at: NOW },
      source: 'test',
      fetchedAt: NOW,
      answered: ['aave-v3'],
      unknown: [],
      failure: null,
    }),
  )

beforeAll(async () => {
  await insertMarket(api.owner, database.ownerUrl)
  await activateNetworks(api.owner, ['ethereum'])
  walletId = await insertWallet(api.owner, { address: W, syncs: { ethereum: NOW } })
  await receive(at('02T06:00:00'), 2)
  await computed({ walletId, networkId: 'ethereum' })
  await readDefi()
  ids.wallet = await world.walletPortfolio(accountId, W, 'ethereum', 'Cold')
  ids.exchange = await world.exchangePortfolio(accountId, [
    ['deposit', at('03T06:00:00'), 'ETH', 1],
    ['deposit', at('03T07:00:00'), 'USDT', 100],
  ])
  ids.manual = await world.manualPortfolio(accountId, [
    { at: at('04T06:00:00'), coinId: 'ethereum', count: 3, priceUsd: 2_000 },
  ])
  return () => ingest.close()
})

interface Read {
  path: string
  status: number
  // Answers of many shapes.
  // eslint-disable-next-line typescript/no-explicit-any
  body: any
  isPending: boolean
}

const read = async (path: string): Promise<Read> => {
  const response = await api.get(path, key)
  const isPending = response.headers.get('x-sync-status') === 'syncing'
  return { path, status: response.status, body: await response.json(), isPending }
}
const sumOf = (items: readonly any[], pick: (one: any) => number): number =>
  items.reduce((sum, one) => sum + pick(one), 0)

/**
 * Reads everything about one scope. Expects that all answers name something pending, or none does and all
 * figures agree. Returns which of the two it is.
 */
async function stateOf(area: '/portfolio' | '/wallet' | '/exchange', of: string): Promise<'one' | 'pending'> {
  const lists = {
    '/portfolio': [
      `/portfolio/transactions?currency=USD&limit=100&${of}`,
      `/portfolio/value?currency=USD&${of}`,
    ],
    '/wallet': [`/wallet/balance?${of}`],
    '/exchange': [`/exchange/transactions?limit=100&${of}`],
  }[area]
  const coins = area === '/portfolio' ? `/portfolio/coins?${of}` : `${area}/pl?${of}`
  const [rows, chart, history, first, value] = await Promise.all(
    [
      coins,
      `${area}/chart?type=24h&${of}`,
      `${area}/pl/history?interval=daily&range=all&${of}`,
      ...lists,
    ].map(read),
  )
  const answers = [rows!, chart!, history!, first!, ...(value ? [value] : [])]
  const { isPending } = rows!
  expect(answers.map(({ path, status, isPending }) => [path, status, isPending])).toEqual(
    answers.map(({ path }) => [path, 200, isPending]),
  )
  const entries =
    area === '/exchange' ? null : await read(`${area}/explain?coinId=ethereum&month=2026-03&limit=100&${of}`)
  if (entries) expect([entries.path, entries.status]).toEqual([entries.path, isPending ? 409 : 200])
  if (isPending) return 'pending'

  const held = sumOf(rows!.body.result, (row) => row.count * row.price.USD)
  const profit = sumOf(rows!.body.result, (row) => row.profit.allTime.USD)
  expect([chart!.body.result.at(-1)[1], sumOf(history!.body.result, ({ profitLoss }) => profitLoss)]).toEqual(
    [held, profit],
  )
  if (value) {
    expect([value.body.totalValue, value.body.allTimeProfitLoss]).toEqual([held, profit])
    const moved = first!.body.data.filter((one: any) => JSON.stringify(one).includes('"ethereum"'))
    expect(entries!.body.entries.count).toBe(moved.length)
  }
  return 'one'
}

const statusOf = async (id: string) => (await read(`/portfolio/status?portfolioId=${id}`)).body.status
const whole = () => stateOf('/portfolio', '')
const single = (id: string) => stateOf('/portfolio', `portfolioId=${id}`)
const ofWallet = `address=${W}&connectionId=ethereum`

/** Expects one state of everything, and `synced`. */
async function expectSynced(): Promise<void> {
  for (const id of Object.values(ids))
    expect([await statusOf(id), await single(id)]).toEqual(['synced', 'one'])
  expect(await whole()).toBe('one')
  expect([
    (await read(`/wallet/status?${ofWallet}`)).body.status,
    await stateOf('/wallet', ofWallet),
  ]).toEqual(['synced', 'one'])
  const ofExchange = `portfolioId=${ids.exchange}`
  expect([
    (await read(`/exchange/status?${ofExchange}`)).body.status,
    await stateOf('/exchange', ofExchange),
  ]).toEqual(['synced', 'one'])
  const { status, isPending } = await read('/portfolio/defi')
  expect([status, isPending]).toEqual([200, false])
}

/** Expects that a portfolio and its account say that they are being computed, and that the others do not. */
async function expectComputing(id: string): Promise<void> {
  expect([await statusOf(id), await single(id), await whole()]).toEqual(['syncing', 'pending', 'pending'])
  for (const other of Object.values(ids).filter((other) => other !== id))
    expect(await single(other)).toBe('one')
}

test.each([
  ['today', at('10T11:00:00')],
  ['on an earlier day', at('05T06:00:00')],
])(
  'Y16 all answers about a wallet are of one state or say that they are not, after a transaction %s',
  async (_, instant) => {
    const book = { walletId, networkId: 'ethereum' }
    const expectWalletComputing = async () => {
      await expectComputing(ids.wallet)
      expect((await read(`/wallet/status?${ofWallet}`)).body.status).toBe('syncing')
      expect(await stateOf('/wallet', ofWallet)).toBe('pending')
    }
    await expectSynced()
    await receive(instant, 0.5)
    await expectWalletComputing()
    await recompute(book)
    await expectWalletComputing()
    await fold({ bookId: (await openBook(ingest.db, book)).id }, async (left) => {
      if (left === 0) return
      expect(await statusOf(ids.wallet)).toBe('syncing')
      // Each is of one state or says that it is not, whichever of their folds came first.
      await single(ids.wallet)
      await whole()
    })
    await expectSynced()
  },
)

test('all answers about an exchange account are of one state or say that they are not', async () => {
  const book = { connectionId: ids.exchange }
  const expectExchangeComputing = async () => {
    await expectComputing(ids.exchange)
    expect((await read(`/exchange/status?portfolioId=${ids.exchange}`)).body.status).toBe('syncing')
    expect(await stateOf('/exchange', `portfolioId=${ids.exchange}`)).toBe('pending')
  }
  await run(
    `insert into exchange_transactions (connection_id, kind, key, at, status, type, asset, amount, source, fetched_at)
     values ($1, 'deposit', 'new', $2, 'ok', 'deposit', 'ETH', 0.25, 'test', now())`,
    [ids.exchange, at('10T10:00:00')],
  )
  await expectExchangeComputing()
  await deriveLegs(ingest.pool, { ...book, statedAt: at('01T00:00:00') })
  await expectExchangeComputing()
  await recompute(book)
  await expectExchangeComputing()
  await fold({ bookId: (await openBook(ingest.db, book)).id }, async () => {})
  await expectSynced()
})

test('all answers about a manual portfolio are of one state or say that they are not', async () => {
  const book = { portfolioId: ids.manual }
  await run(
    `insert into manual_transactions (id, portfolio_id, at, coin_id, count, price, currency, price_usd, source, fetched_at)
     values (uuidv7(), $1, $2, 'ethereum', 0.75, 2000, 'USD', 2000, 'owner', now())`,
    [ids.manual, at('10T09:00:00')],
  )
  await expectComputing(ids.manual)
  await transact(ingest.pool, async ({ db }) => {
    const from = await priceTransactions(db, book)
    await markBookDirty({ db, book, from: from! })
  })
  await expectComputing(ids.manual)
  await recompute(book)
  await expectComputing(ids.manual)
  await fold({ bookId: (await openBook(ingest.db, book)).id }, async () => {})
  await expectSynced()
})

test('a portfolio says that it is computed by another cost method until it is', async () => {
  await setCostMethod(api.owner, { id: ids.manual, method: 'fifo' })
  expect([await statusOf(ids.manual), await single(ids.manual), await whole()]).toEqual([
    'syncing',
    'pending',
    'pending',
  ])
  await transact(ingest.pool, async ({ db }) =>
    settleScopes({ db, scopes: await lockScopes(db, { accountId }), fromMs: Infinity }),
  )
  expect([await statusOf(ids.manual), await single(ids.manual)]).toEqual(['syncing', 'pending'])
  await fold({ accountId }, async () => {})
  await expectSynced()
})

test('newer prices alone leave a portfolio synced', async () => {
  await transact(ingest.pool, ({ db }) =>
    noteChanges({ db, changes: [{ coinId: 'ethereum', from: at('06T00:00:00') }] }),
  )
  const [{ dirty }] = (await query<{ dirty: string }>(
    database.ownerUrl,
    'select count(dirty_from) as dirty from pl_states',
  )) as [{ dirty: string }]
  expect(Number(dirty)).toBe(3)
  await expectSynced()
})

test('a portfolio is not synced before the positions of its wallet are read, and its value says so too', async () => {
  await run('delete from defi_reads where wallet_id = $1', [walletId])
  const value = () => read(`/portfolio/value?currency=USD&portfolioId=${ids.wallet}`)
  expect(await statusOf(ids.wallet)).toBe('syncing')
  expect([(await value()).body.meta, (await read('/portfolio/defi')).body.meta]).toEqual([
    { pending: [ids.wallet] },
    { pending: [ids.wallet] },
  ])
  await readDefi()
  await expectSynced()
})

test('a wallet is not synced before its sync is complete', async () => {
  await run('update wallet_syncs set synced_at = null where wallet_id = $1', [walletId])
  expect([await statusOf(ids.wallet), await single(ids.exchange)]).toEqual(['syncing', 'one'])
  expect((await read(`/portfolio/value?currency=USD&portfolioId=${ids.wallet}`)).isPending).toBe(true)
  await run('update wallet_syncs set synced_at = $2 where wallet_id = $1', [walletId, NOW])
  await expectSynced()
})
