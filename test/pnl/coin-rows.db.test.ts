import { beforeAll, describe, expect, test } from 'vitest'
import { foldLots, stateOf } from '../../db/pnl/lots/fold-lots.ts'
import { ledgerOf } from './engine/ledger.ts'
import { scopePostings } from './engine/scope-postings.ts'
import { getExchangePlHistory } from '../../api/exchanges/get-pl-history.ts'
import { getExchangePl } from '../../api/exchanges/get-pl.ts'
import { routes } from '../../api/routes.ts'
import { getPlHistory } from '../../api/chain/get-pl-history.ts'
import { getWalletPl } from '../../api/chain/get-pl.ts'
import { openDb } from '../../db/connect.ts'
import { type CoinItem, coinItem } from '../../db/pnl/lots/coin-item.ts'
import { type Move, NO_MOVES, sumMoves } from '../../db/pnl/lots/coin-state.ts'
import { toNumber } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { address } from '../setup/wallet-factories.ts'
import { ACCOUNTS, fixture, workedExample } from './worked-example.ts'
import { CONNECTION, idOf, NOW, STABLE_IDS, storeWorkedExample, WALLET } from './worked-example-tables.ts'

// Reads the worked example, stored as an exchange account and a wallet on two networks, over HTTP.

const NOW_MS = NOW.getTime()
const { legs, matches, prices } = workedExample()

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const { key, accountId } = await api.newAccount()
const stranger = await api.newAccount()
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })

beforeAll(async () => {
  await storeWorkedExample({ database, owner: api.owner, ingest, accountId })
  return () => ingest.close()
})

const walletPl = endpoint(api, { route: getWalletPl, key })
const exchangePl = endpoint(api, { route: getExchangePl, key })
const walletHistory = endpoint(api, { route: getPlHistory, key })
const exchangeHistory = endpoint(api, { route: getExchangePlHistory, key })
const PATHS = {
  exchange: [exchangePl, exchangeHistory, `/exchange/pl`, `portfolioId=${CONNECTION}`],
  wallet_all: [walletPl, walletHistory, '/wallet/pl', `address=${WALLET}&connectionId=all`],
  wallet_ethereum: [walletPl, walletHistory, '/wallet/pl', `address=${WALLET}&connectionId=ethereum`],
  wallet_base: [walletPl, walletHistory, '/wallet/pl', `address=${WALLET}&blockchain=base`],
} as const
type Scope = keyof typeof PATHS
const SCOPES = Object.keys(PATHS) as Scope[]

test.each(SCOPES)('01 over HTTP, %s: daily points equal the example', async (scope) => {
  const [, history, path, which] = PATHS[scope]
  const { body } = await history(`${path}/history?${which}&interval=daily&from=2024-01-01&to=2024-01-10`)
  const expected = fixture.expected.daily[scope] as {
    date: string
    profitLoss: string
    profitLossPercent: string
  }[]
  const byDate = new Map(expected.map((point) => [point.date, point]))
  expect(body.result.length).toBeGreaterThan(3)
  for (const { date, profitLoss, profitLossPercent } of body.result) {
    expect(profitLoss).toBeCloseTo(Number(byDate.get(date)!.profitLoss), 9)
    expect(profitLossPercent).toBeCloseTo(Number(byDate.get(date)!.profitLossPercent), 9)
    byDate.delete(date)
  }
  // The history has no points before the first transaction of a scope.
  for (const { profitLoss } of byDate.values()) expect(Number(profitLoss)).toBe(0)
})

/** Coin rows of a scope, computed by the pure engine. */
function pureItems(scope: Scope): Map<string, CoinItem> {
  const ledger = ledgerOf({ legs, matches, accounts: new Set(ACCOUNTS[scope]) })
  const rules = { isStable: (coinId: string) => STABLE_IDS.includes(idOf(coinId)), trust: () => 0 }
  const moves: Move[] = []
  const entries = scopePostings({ ledger, prices, rules })
  const coins = foldLots({ entries, method: 'average', onMove: (move) => moves.push(move) })
  const recents = sumMoves(moves.filter(({ atMs }) => atMs >= NOW_MS - DAY_MS))
  return new Map(
    [...coins].map(([coinId, coin]) => [
      idOf(coinId),
      coinItem(stateOf(coin), {
        price: prices.at(coinId, NOW_MS),
        dayAgoPrice: prices.at(coinId, NOW_MS - DAY_MS),
        recent: recents.get(coinId) ?? NO_MOVES,
      }),
    ]),
  )
}

describe.each(SCOPES)('01 coin rows over HTTP, %s', (scope) => {
  const [get, history, path, which] = PATHS[scope]
  const items = pureItems(scope)

  test('every figure equals the pure engine', async () => {
    const { body } = await get(`${path}?${which}`)
    expect(body.result.map(({ coin }: any) => coin.identifier).sort()).toEqual([...items.keys()].sort())
    for (const row of body.result) {
      const item = items.get(row.coin.identifier)!
      expect(row.count).toBeCloseTo(toNumber(item.count), 9)
      expect(row.totalCost.USD).toBeCloseTo(toNumber(item.totalCost), 9)
      for (const name of ['profit', 'profitPercent', 'averageBuy', 'averageSell'] as const)
        for (const [profitKey, value] of Object.entries(item[name]))
          expect(row[name][profitKey].USD, `${row.coin.identifier} ${name} ${profitKey}`).toBeCloseTo(
            toNumber(value),
            8,
          )
    }
  })

  test('the summary equals the sum of the rows and the profit of the history, in USD and ETH', async () => {
    const { body } = await get(`${path}?${which}`)
    for (const currency of ['USD', 'ETH'] as const) {
      const total = (of: (row: any) => number) =>
        body.result.reduce((sum: number, row: any) => sum + of(row), 0)
      const { summary } = body
      for (const name of ['allTime', 'hour24', 'lastTrade', 'unrealized', 'realized'])
        expect(summary.profit[name][currency]).toBeCloseTo(
          total((row) => row.profit[name][currency]),
          8,
        )
      expect(summary.totalValue[currency]).toBeCloseTo(
        total((row) => row.count * row.price[currency]),
        8,
      )
      expect(summary.profitPercent.unrealized[currency]).toBeCloseTo(
        summary.totalCost[currency] === 0
          ? 0
          : (100 * summary.profit.unrealized[currency]) / summary.totalCost[currency],
        8,
      )
      const days = await history(`${path}/history?${which}&interval=daily&range=all&currency=${currency}`)
      const profit = days.body.result.reduce((sum: number, day: any) => sum + day.profitLoss, 0)
      expect(summary.profit.allTime[currency]).toBeCloseTo(profit, 8)
    }
  })
})

test('pages, filters by coin, charges credits and refuses bad requests', async () => {
  const path = `/wallet/pl?address=${WALLET}&connectionId=ethereum`
  const all = await walletPl(path)
  expect(all.credits).toBe(25)
  expect(all.headers.get('x-data-as-of')).toBe(NOW.toISOString())
  expect((await walletPl(path.replace('ethereum', 'all'))).credits).toBe(250)
  const values = all.body.result.map((row: any) => row.count * row.price.USD)
  expect(values).toEqual(values.toSorted((a: number, b: number) => b - a))
  const second = await walletPl(`${path}&limit=1&page=2`)
  expect(second.body.result).toEqual([all.body.result[1]])
  expect(second.body.summary).toEqual(all.body.summary)
  expect((await walletPl(`${path}&page=2147483647`)).body.result).toEqual([])
  const one = await walletPl(`${path}&coinId=ethereum`)
  expect(one.body.result.map((row: any) => row.coin.identifier)).toEqual(['ethereum'])
  expect(one.body.summary.totalCost).toEqual(one.body.result[0].totalCost)
  expect((await walletPl(`${path}&coinId=dogecoin`)).body.result).toEqual([])

  for (const [bad, name] of [
    [`/wallet/pl?address=${WALLET}`, 'connectionId'],
    [`/wallet/pl?address=${WALLET}&connectionId=ethereum,base-wallet`, 'connectionId'],
    [`/wallet/pl?address=0x12&connectionId=ethereum`, 'address'],
    [`${path}&coinId=a%20b`, 'coinId'],
    [`${path}&limit=0`, 'limit'],
    [`${path}&page=-1`, 'page'],
    [`/exchange/pl?portfolioId=${CONNECTION}&limit=1e3`, 'limit'],
  ] as const)
    expect(await refusal(await api.get(bad, key))).toEqual([400, `Invalid parameter: ${name}`])
  expect(await refusal(await api.get(`/wallet/pl?address=${address(9)}&connectionId=all`, key))).toEqual([
    409,
    'Transactions not synced',
  ])
  for (const [id, as] of [
    [CONNECTION, stranger.key],
    [CONNECTION.replace(/1$/, '2'), key],
  ] as const)
    expect(await refusal(await api.get(`/exchange/pl?portfolioId=${id}`, as))).toEqual([
      404,
      `Portfolio with id '${id}' not found`,
    ])
})
