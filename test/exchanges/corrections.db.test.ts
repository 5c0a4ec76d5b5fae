import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import { routes } from '../../api/routes.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { storePage, type TransactionRow } from '../../db/exchanges/cursors.ts'
import { deriveLegs } from '../../db/exchanges/derive-legs.ts'
import { readPortfolioBooks } from '../../db/pnl/books.ts'
import { readPlPeriods } from '../../db/pnl/periods/read-periods.ts'
import {
  labelExchange,
  moveExchange,
  splitExchange,
  undoExchange,
} from '../../db/portfolios/correct-exchange.ts'
import { subtract, toNumber } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { expectLawThree, foldBook, refreshAccount } from '../pnl/law-three.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

// Corrections of exchange transactions, on rows whose figures can be checked by hand.

const NOW = new Date('2026-03-10T00:00:00Z')
const at = (text: string) => new Date(`2026-03-${text}Z`)
const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const { key: apiKey, accountId } = await api.newAccount({ plan: 'pro', credits: 1_000_000 })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
const run = (sql: string, values: unknown[] = []) => query<any>(database.ownerUrl, sql, values)

const id = (part: number) => `01990000-0000-7000-8000-00000000000${part}`
const [OWN, OTHER, MANUAL, STRANGE, WALLET] = [id(1), id(2), id(3), id(4), id(5)] as const

beforeAll(async () => {
  const days = Array.from({ length: 10 }, (_, day) => new Date(at('01T00:00:00').getTime() + day * DAY_MS))
  for (const [coin, usd, step] of [
    ['ethereum', 2_000, 100],
    ['bitcoin', 50_000, 0],
    ['tether', 1, 0],
  ] as const) {
    await insertCoin(api.owner, {
      id: coin,
      symbol: coin,
      priceUsd: String(usd),
      at: NOW,
      isStable: coin === 'tether',
    })
    const points = days.map((day, index) => [day, String(usd + step * index)] as const)
    await insertPrices(api.owner, { coinId: coin, resolution: 'day', points })
  }
  await run(
    `insert into exchange_assets (venue, asset, coin_id, source, fetched_at)
     values ('binance', 'ETH', 'ethereum', 'symbol', now()), ('binance', 'USDT', 'tether', 'symbol', now())`,
  )
  const stranger = await api.newAccount()
  for (const [connection, account] of [
    [OWN, accountId],
    [OTHER, accountId],
    [STRANGE, stranger.accountId],
  ])
    await run(
      `insert into exchange_connections (id, account_id, venue, fingerprint, version, active_version, synced_at, covered_to)
       values ($1, $2, 'binance', $3, 1, 1, $4, $4)`,
      [connection, account, createHash('sha256').update(connection!).digest(), NOW],
    )
  await run(
    `insert into portfolios (id, account_id, kind, name, address, network_id) values
     ($1, $6, 'exchange', 'Own', null, null), ($2, $6, 'exchange', 'Other', null, null), ($3, $6, 'manual', 'By hand', null, null),
     ($4, $7, 'exchange', 'Strange', null, null), ($5, $6, 'wallet', 'Wallet', '0x0000000000000000000000000000000000000001', 'ethereum')`,
    [OWN, OTHER, MANUAL, STRANGE, WALLET, accountId, stranger.accountId],
  )
  await sync(DEPOSIT, FILL)
  await sync()
  return () => Promise.all([ingest.close(), reader.close()])
})

const NOTHING = {
  symbol: null,
  order_id: null,
  quote_asset: null,
  quote_amount: null,
  fee_asset: null,
  fee_amount: null,
  network: null,
  address: null,
  tx_hash: null,
}
const DEPOSIT: TransactionRow = {
  ...NOTHING,
  kind: 'deposit',
  key: 'd1',
  at: at('02T06:00:00'),
  status: 'ok',
  type: 'deposit',
  asset: 'ETH',
  amount: '3',
}
const FILL: TransactionRow = {
  ...NOTHING,
  kind: 'fill',
  key: 'ETHUSDT:7',
  at: at('04T06:00:00'),
  status: 'ok',
  type: 'executed',
  asset: 'ETH',
  amount: '-1',
  quote_asset: 'USDT',
  quote_amount: '2200',
  fee_asset: 'USDT',
  fee_amount: '2',
}

/** Stores a page of the exchange and runs the steps after it. */
async function sync(...rows: TransactionRow[]): Promise<void> {
  if (rows.length > 0)
    await storePage(ingest.pool, {
      connectionId: OWN,
      source: 'binance',
      fetchedAt: NOW,
      rows,
      cursor: { stream: 'all', symbol: '', position: 1, completeAt: NOW },
      before: null,
    })
  await run('delete from exchange_balances')
  await run(
    `insert into exchange_balances (connection_id, asset, amount, source, fetched_at)
     select connection_id, asset, sum(delta), 'test', $1 from (
       select t.connection_id, leg.asset, leg.delta from exchange_transactions t, exchange_legs_of(t) as leg) as legs
     group by 1, 2`,
    [NOW],
  )
  await deriveLegs(ingest.pool, { connectionId: OWN, statedAt: NOW })
  await compute()
}

const KEYS = [{ connectionId: OWN }, { connectionId: OTHER }, { portfolioId: MANUAL }] as const

async function compute(): Promise<void> {
  for (const book of KEYS) {
    await recomputeBook({ pool: ingest.pool, book, nowMs: NOW.getTime() })
    await foldBook({ connection: ingest, book, nowMs: NOW.getTime() })
  }
  await refreshAccount({ connection: ingest, accountId, nowMs: NOW.getTime() })
}

/** Days with flow or profit, by date. Also checks that coins and history agree. */
async function days(portfolioId: string | null): Promise<Record<string, [flow: number, profit: number]>> {
  const ids = portfolioId === null ? [OWN, OTHER, MANUAL] : [portfolioId]
  const books = [...(await readPortfolioBooks(reader.db, ids)).values()]
  const set = { books, ...(portfolioId === null && { accountId }) }
  const window = { interval: 'daily', fromMs: null, toMs: NOW.getTime(), currency: 'USD' } as const
  const periods = (await readPlPeriods({ db: reader.db, ...set, ...window })) ?? []
  if (periods.length > 0) await expectLawThree({ db: reader.db, nowMs: NOW.getTime(), ...set })
  return Object.fromEntries(
    periods
      .map(
        ({ startMs, opening, closing, flow }) =>
          [
            new Date(startMs).toISOString().slice(8, 10),
            [toNumber(flow), toNumber(subtract(subtract(closing, opening), flow))] as [number, number],
          ] as const,
      )
      .filter(([, figures]) => figures.some((figure) => figure !== 0)),
  )
}

const deposit = { portfolioId: OWN, kind: 'deposit', key: 'd1' }
const fill = { portfolioId: OWN, kind: 'fill', key: 'ETHUSDT:7' }
const own = { part: 0, now: NOW }
const stored = () =>
  run(`select to_jsonb(d) as row from pl_days d union all select to_jsonb(c) - 'recorded_at' from coin_folds c
    union all select to_jsonb(d) from balance_days d order by 1`)

const AS_STATED = {
  '02': [6_300, 300],
  '03': [0, 300],
  '04': [0, 98],
  '05': [0, 200],
  '06': [0, 200],
  '07': [0, 200],
  '08': [0, 200],
  '09': [0, 200],
}

test('a deposit corrected to income has no flow and no basis, survives the next sync, and can be undone', async () => {
  expect(await days(OWN)).toEqual(AS_STATED)
  const before = await stored()
  expect(await labelExchange(api.owner, { ...deposit, ...own, role: 'airdrop' })).toBeNull()
  expect(await run('select workflow, workflow_id from outbox order by id desc limit 1')).toEqual([
    { workflow: 'syncExchange', workflow_id: `exchange:${OWN}` },
  ])
  await compute()
  const asIncome = { ...AS_STATED, '02': [0, 6_600] }
  expect(await days(OWN)).toEqual(asIncome)
  // The same row again, then with another amount.
  await sync(DEPOSIT)
  expect(await days(OWN)).toEqual(asIncome)
  await sync({ ...DEPOSIT, amount: '4' })
  expect((await days(OWN))['02']).toEqual([0, 8_800])
  await sync(DEPOSIT)
  expect(await undoExchange(api.owner, deposit)).toBeNull()
  await compute()
  expect(await days(OWN)).toEqual(AS_STATED)
  expect(await stored()).toEqual(before)
})

test('splits a transaction into parts, each labelled and moved on its own', async () => {
  expect(await splitExchange(api.owner, { ...deposit, count: '0.5', now: NOW })).toEqual({ part: 1 })
  expect(await splitExchange(api.owner, { ...deposit, count: '1', now: NOW })).toEqual({ part: 2 })
  await compute()
  expect(await days(OWN)).toEqual(AS_STATED)
  await labelExchange(api.owner, { ...deposit, part: 1, now: NOW, role: 'airdrop' })
  await moveExchange(api.owner, { ...deposit, part: 2, now: NOW, at: at('03T06:00:00') })
  await compute()
  // Day 2: 1.5 come in at 2,100, half an ETH is earned. Day 3: one comes in at 2,200.
  expect(await days(OWN)).toEqual({ ...AS_STATED, '02': [3_150, 1_250], '03': [2_200, 300] })
  await moveExchange(api.owner, { ...deposit, part: 2, now: NOW, to: MANUAL })
  await compute()
  expect((await days(OWN))['02']).toEqual([3_150, 1_250])
  expect((await days(MANUAL))['03']).toEqual([2_200, 100])
  expect((await days(null))['03']).toEqual([2_200, 300])

  const answer = await api.get(`/portfolio/transactions?currency=USD&portfolioId=${OWN}`, apiKey)
  const { data, ...rest } = (await answer.json()) as any
  expect(rest).toMatchObject({ meta: { page: 1 } })
  expect(data.map(({ note }: any) => note)).toEqual([
    undefined,
    'Corrected: counted the rest as stated; 0.5 of it as airdrop; 1 of it on 2026-03-03T06:00:00.000Z in By hand',
  ])
  const path = `/portfolio/explain?currency=USD&portfolioId=${MANUAL}&interval=daily&range=all&date=2026-03-04T00:00:00Z`
  const explained = (await (await api.get(path, apiKey)).json()) as any
  expect(explained.flows.items).toMatchObject([
    { transaction: `${OWN} deposit d1 part 2`, isCorrected: true, valueUsd: '2200' },
  ])
  const month = `/portfolio/explain?portfolioId=${OWN}&coinId=ethereum&month=2026-03`
  const entries = ((await (await api.get(month, apiKey)).json()) as any).entries.items
  expect(entries.map((entry: any) => [entry.transaction, entry.reason, entry.isCorrected])).toEqual([
    ['deposit d1 part 1', 'income', true],
    ['deposit d1', 'receipt', true],
    ['trade ETHUSDT:7', 'trade', undefined],
  ])
  // The exchange states a larger amount: the parts keep their shares and portfolios.
  await sync({ ...DEPOSIT, amount: '6' })
  expect((await days(MANUAL))['03']).toEqual([4_400, 200])
  await sync(DEPOSIT)
  // Removing a portfolio moves its parts back.
  await run('select forget_portfolio($1)', [MANUAL])
  await run(`insert into portfolios (id, account_id, kind, name) values ($1, $2, 'manual', 'By hand')`, [
    MANUAL,
    accountId,
  ])
  await compute()
  expect((await days(OWN))['03']).toEqual([2_200, 300])
  await undoExchange(api.owner, deposit)
  await compute()
  expect(await days(OWN)).toEqual(AS_STATED)
})

test('a fill moved to another account counts there, with its fee', async () => {
  await moveExchange(api.owner, { ...fill, ...own, to: OTHER })
  await compute()
  const held = Object.fromEntries(['04', '05', '06', '07', '08', '09'].map((day) => [day, [0, 300]]))
  expect(await days(OWN)).toEqual({ '02': [6_300, 300], '03': [0, 300], ...held })
  // Sold there without being held: it is opened at the price of the sale.
  expect(await days(OTHER)).toEqual({ '04': [2_200, -2] })
  await moveExchange(api.owner, { ...fill, ...own, to: OWN })
  expect(await run('select from transaction_parts')).toEqual([])
  await compute()
  expect(await days(OWN)).toEqual(AS_STATED)
  expect(await days(OTHER)).toEqual({})
})

test('a part split off a moved transaction leaves the portfolio it was moved to', async () => {
  await moveExchange(api.owner, { ...deposit, ...own, at: at('01T06:00:00'), to: MANUAL })
  await compute()
  expect((await days(MANUAL))['01']).toEqual([6_000, 300])
  await splitExchange(api.owner, { ...deposit, count: '1', now: NOW })
  await compute()
  expect((await days(MANUAL))['01']).toEqual([4_000, 200])
  expect((await days(OWN))['02']).toEqual([2_100, 100])
  await undoExchange(api.owner, deposit)
  await compute()
  expect(await days(OWN)).toEqual(AS_STATED)
  expect(await days(MANUAL)).toEqual({})
})

test('an invalid correction is refused and changes nothing', async () => {
  const refusals = [
    [
      () => labelExchange(api.owner, { ...deposit, ...own, role: 'trade' }),
      /only one coin moves in it, so it cannot be trade/,
    ],
    [
      () => labelExchange(api.owner, { ...deposit, key: 'd2', ...own, role: 'airdrop' }),
      /no such transaction/,
    ],
    [() => labelExchange(api.owner, { ...deposit, now: NOW, part: 1, role: 'airdrop' }), /no such part/],
    [() => moveExchange(api.owner, { ...deposit, ...own, to: STRANGE }), /no such portfolio/],
    [() => moveExchange(api.owner, { ...deposit, ...own, to: id(9) }), /no such portfolio/],
    [() => moveExchange(api.owner, { ...deposit, ...own, to: WALLET }), /only what is on its chain/],
    [() => undoExchange(api.owner, deposit), /no corrections/],
  ] as const
  for (const [refusal, text] of refusals) expect(await refusal()).toMatch(text)
  for (const count of ['3', '-1', '0', '4'])
    expect(await splitExchange(api.owner, { ...deposit, count, now: NOW })).toMatchObject({
      refusal: expect.stringMatching('a part must remain'),
    })
  expect(await run('select from transaction_parts')).toEqual([])
})
