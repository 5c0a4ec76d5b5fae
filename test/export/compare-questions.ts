import { expect } from 'vitest'
import { askCatalog } from './compare-examples.ts'

// Each view of `export/questions/` beside the answers of the API.

type Row = Record<string, unknown>
/** Answers of every shape. eslint-disable-next-line typescript/no-explicit-any */
type Answer = (path: string) => Promise<any>

interface Asked {
  /** All rows of the view. */
  rows: Row[]
  answer: Answer
}

/** Of a page of a list. */
const LIMIT = 100
const DAY_MS = 86_400_000

/** Compares every question with the API and returns the number of compared rows by the name of the view. */
export async function compareQuestions(options: {
  folder: string
  answer: Answer
}): Promise<Record<string, number>> {
  const compared: Record<string, number> = {}
  for (const [name, compare] of Object.entries(COMPARISONS)) {
    const rows = await askCatalog(options.folder, `set timezone = 'UTC'`, `select * from ${name}`)
    compared[name] = await compare({ rows, answer: options.answer })
  }
  return compared
}

const COMPARISONS: Record<string, (asked: Asked) => Promise<number>> = {
  profit_by_month: async ({ rows, answer }) => {
    let compared = 0
    for (const [id, months] of await ofPortfolios({ rows, answer })) {
      const { result } = await answer(`/portfolio/pl/history?portfolioId=${id}&interval=monthly&range=all`)
      // The export has only the finished days of the last month.
      for (const [index, month] of months.slice(0, -1).entries()) {
        expect(Number(month['profit_usd'])).toBe(result[index].profitLoss)
        near(month['profit_percent'], result[index].profitLossPercent)
        compared++
      }
    }
    return compared
  },

  fees_by_coin: async ({ rows, answer }) => {
    let compared = 0
    for (const [id, fees] of await ofPortfolios({ rows, answer })) {
      const all = await pages(
        answer,
        `/portfolio/transactions?portfolioId=${id}&currency=USD`,
        ({ data }) => data,
      )
      const paid = all.flatMap(({ fee }) => (fee.count > 0 ? [{ ...fee, key: fee.coin.identifier }] : []))
      compared += compareSums(fees, ({ coin_id: coin }) => String(coin), paid)
    }
    return compared
  },

  gains_by_tax_year_and_lot: async ({ rows, answer }) => {
    let compared = 0
    for (const [id, lots] of await ofPortfolios({ rows, answer }))
      for (const [year, own] of Map.groupBy(lots, (lot) => Number(lot['tax_year']))) {
        const { disposals } = await answer(`/portfolio/report?portfolioId=${id}&year=${year}`)
        expect(
          own.map((lot) => [
            lot['coin_id'],
            lot['reason'],
            msOf(lot['disposed_at']),
            lot['acquired_at'] === null ? null : msOf(lot['acquired_at']),
            ...['quantity', 'proceeds_usd', 'cost_usd', 'gain_usd'].map((name) => Number(lot[name])),
          ]),
        ).toEqual(
          disposals.map((lot: any) => [
            lot.coinId,
            lot.reason,
            Date.parse(lot.disposedAt),
            lot.acquiredAt === null ? null : Date.parse(lot.acquiredAt),
            ...[lot.quantity, lot.proceeds, lot.cost, lot.gain].map((text: string) => round18(text)),
          ]),
        )
        compared += own.length
      }
    return compared
  },

  time_weighted_return: async ({ rows, answer }) => {
    let compared = 0
    for (const [id, months] of await ofPortfolios({ rows, answer })) {
      const window = `portfolioId=${id}&interval=daily&range=all`
      const { result } = await answer(`/portfolio/pl/history?${window}`)
      // The first whole month, because each day is a call.
      const { month, month_return: own } = months[Math.min(1, months.length - 1)]!
      const days = result.filter(
        ({ date }: { date: string }) =>
          new Date(Date.parse(date) - 1).toISOString().slice(0, 7) === String(month).slice(0, 7),
      )
      const factors = await Promise.all(
        days.map(async ({ date }: { date: string }) => {
          const { start, end, flows } = await answer(`/portfolio/explain?${window}&date=${date}&limit=1`)
          const [opening, closing, flow] = [start.value, end.value, flows.value].map(Number) as [
            number,
            number,
            number,
          ]
          const invested = opening + Math.max(flow, 0)
          return invested > 0 ? (closing + Math.max(-flow, 0)) / invested : 1
        }),
      )
      const factor = factors.reduce((product, one) => product * one, 1)
      near(own, factor - 1)
      compared++
    }
    return compared
  },

  bitcoin_and_markets: async ({ rows, answer }) => {
    const charts: [number, number][] = await answer('/coins/bitcoin/charts?period=all')
    const bitcoin = new Map(charts.slice(0, -1).map(([seconds, usd]) => [seconds * 1_000, usd]))
    for (const { slug, days, correlation } of rows) {
      const { data } = await answer(`/prediction/markets/${slug as string}/history?range=all&interval=1d`)
      const both = data.series[0].points.flatMap(({ date, price }: { date: string; price: number }) => {
        const usd = bitcoin.get(Date.parse(date))
        return usd === undefined ? [] : [[usd, price]]
      }) as [number, number][]
      const changes = both.slice(1).map(([usd, price], index) => {
        const before = both[index]!
        return [usd / before[0] - 1, price - before[1]] as const
      })
      expect(Number(days)).toBe(changes.length)
      const expected = correlationOf(changes)
      if (correlation === null) expect(expected).toBeNaN()
      else near(correlation, expected)
    }
    return rows.length
  },

  news_and_price: async ({ rows, answer }) => {
    const keyOf = (item: any, coin: string) => `${coin} ${new Date(item.feedDate).toISOString().slice(0, 10)}`
    const counted = async (path: string, of: (body: any) => any[]) => {
      const items = await pages(answer, path, of)
      const keys = items.flatMap((item) => item.relatedCoins.map((coin: string) => keyOf(item, coin)))
      return new Map([...Map.groupBy(keys, String)].map(([key, its]) => [key, its.length]))
    }
    const [all, bullish, bearish] = await Promise.all([
      counted('/news?', ({ result }) => result),
      counted('/news/type/bullish?', (body) => body),
      counted('/news/type/bearish?', (body) => body),
    ])
    expect(rows.length).toBe(all.size)
    const charts = new Map<string, Map<number, number>>()
    for (const { coin_id: coin, day, price_change: change, ...row } of rows as (Row & {
      coin_id: string
    })[]) {
      const key = `${coin} ${day as string}`
      expect([row['articles'], row['bullish'], row['bearish']].map(Number)).toEqual([
        all.get(key),
        bullish.get(key) ?? 0,
        bearish.get(key) ?? 0,
      ])
      if (!charts.has(coin)) {
        const points: [number, number][] = await answer(`/coins/${coin}/charts?period=all`)
        charts.set(coin, new Map(points.slice(0, -1).map(([seconds, usd]) => [seconds * 1_000, usd])))
      }
      const fromMs = Date.parse(`${day as string}T00:00:00Z`)
      const [opening, closing] = [fromMs, fromMs + DAY_MS].map((ms) => charts.get(coin)!.get(ms))
      if (change === null) expect(opening === undefined || closing === undefined).toBe(true)
      else near(change, closing! / opening! - 1)
    }
    return rows.length
  },

  inflow_by_counterparty: async ({ rows, answer }) => {
    let compared = 0
    for (const [address, transactions, own] of await ofWallets({ rows, answer })) {
      const items = transactions
        .filter(({ type }) => type === 'Received')
        .flatMap(({ transactions: groups }) => groups)
        .flatMap((group: any) => group.items)
      const keyed = items.map((item: any) => ({
        ...item,
        key: `${item.fromAddress ?? null} ${item.coin.id}`,
      }))
      expect(address).toMatch(/^0x/)
      compared += compareSums(
        own,
        (row) => `${row['counterparty'] as string} ${row['coin_id'] as string}`,
        keyed,
        'transfers',
      )
    }
    return compared
  },

  gas_by_month: async ({ rows, answer }) => {
    let compared = 0
    for (const [, transactions, own] of await ofWallets({ rows, answer })) {
      const paid = transactions.flatMap(({ fee, date }) =>
        fee ? [{ ...fee, key: `${date.slice(0, 7)} ${fee.coin.id}` }] : [],
      )
      compared += compareSums(
        own,
        (row) => `${String(row['month']).slice(0, 7)} ${row['coin_id'] as string}`,
        paid,
      )
    }
    return compared
  },

  nft_floor_moves: async ({ rows, answer }) => {
    const last = [...Map.groupBy(rows, (row) => row['address'] as string)].map(
      ([address, days]) => [address, days.at(-1)!] as const,
    )
    for (const [address, day] of last) {
      const collection = await answer(`/nft/collection/${address}`)
      near(day['floor_price'], collection.floorPriceMc)
      if (day['change_1d'] !== null) near(day['change_1d'], collection.floorPriceChange24h)
      if (day['change_7d'] !== null) near(day['change_7d'], collection.floorPriceChange7d)
    }
    return last.length
  },

  event_prices_across_venues: async ({ rows, answer }) => {
    for (const [slug, own] of Map.groupBy(rows, (row) => row['event_slug'] as string)) {
      const { data } = await answer(`/prediction/events/${slug}/cross-venue`)
      const pairs = data.outcomes.flatMap(({ label, prices: [first, ...others] }: any) =>
        others.map((other: any) => [
          label,
          first.marketSlug,
          other.marketSlug,
          first.yesPrice,
          other.yesPrice,
        ]),
      )
      const found = own.map((row) => [
        row['outcome'],
        row['polymarket_slug'],
        row['kalshi_slug'],
        Number(row['polymarket_price']),
        Number(row['kalshi_price']),
      ])
      const inOrder = (all: unknown[]) => all.map((one) => JSON.stringify(one)).sort()
      expect(inOrder(found)).toEqual(inOrder(pairs))
    }
    return rows.length
  },
}

/** The rows of each portfolio of the account, by its id. */
async function ofPortfolios({ rows, answer }: Asked): Promise<[string, Row[]][]> {
  const { result } = await answer('/portfolio/list')
  return result.flatMap(({ portfolioId: id }: { portfolioId: string }) => {
    const own = rows.filter((row) => row['portfolio_id'] === id)
    return own.length === 0 ? [] : [[id, own]]
  })
}

/** All transactions of each wallet on each network, beside its rows. */
async function ofWallets({
  rows,
  answer,
}: Asked): Promise<[address: string, transactions: any[], rows: Row[]][]> {
  const found: [string, any[], Row[]][] = []
  for (const [key, own] of Map.groupBy(
    rows,
    (row) => `${row['address'] as string} ${row['network_id'] as string}`,
  )) {
    const [address, network] = key.split(' ') as [string, string]
    const path = `/wallet/transactions?address=${address}&connectionId=${network}`
    found.push([address, await pages(answer, path, ({ result }) => result), own])
  }
  return found
}

async function pages(answer: Answer, path: string, of: (body: any) => any[]): Promise<any[]> {
  const found: any[] = []
  for (let page = 1; ; page++) {
    const more = of(await answer(`${path}&page=${page}&limit=${LIMIT}`))
    found.push(...more)
    if (more.length < LIMIT) return found
  }
}

/** Compares count, amount and value of rows with the sums of items. Returns the number of rows. */
function compareSums(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  items: readonly { key: string; count: number; totalWorth: number }[],
  counted = 'transactions',
): number {
  const sums = Map.groupBy(items, ({ key }) => key)
  expect(rows.map(keyOf).sort()).toEqual([...sums.keys()].sort())
  for (const row of rows) {
    const its = sums.get(keyOf(row))!
    expect(Number(row[counted])).toBe(its.length)
    near(row['amount'], sumOf(its.map(({ count }) => count)))
    near(row['value_usd'] ?? 0, sumOf(its.map(({ totalWorth }) => totalWorth)))
  }
  return rows.length
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const msOf = (text: unknown) => Date.parse(text as string)

/** The number nearest to a decimal that is rounded to the places of an export. */
const round18 = (text: string) => {
  const [whole, fraction = ''] = text.split('.') as [string, string?]
  if (fraction.length <= 18) return Number(text)
  const units = BigInt(`${whole}${fraction.slice(0, 18)}`.replace('-', ''))
  const rounded = fraction[18]! >= '5' ? units + 1n : units
  const digits = rounded.toString().padStart(19, '0')
  return Number(`${text.startsWith('-') ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`)
}

function correlationOf(pairs: readonly (readonly [number, number])[]): number {
  const mean = (of: 0 | 1) => sumOf(pairs.map((pair) => pair[of])) / pairs.length
  const [a, b] = [mean(0), mean(1)]
  const product = (x: 0 | 1, y: 0 | 1) =>
    sumOf(pairs.map((pair) => (pair[x] - (x === 0 ? a : b)) * (pair[y] - (y === 0 ? a : b))))
  return product(0, 1) / Math.sqrt(product(0, 0) * product(1, 1))
}

/** Doubles of the API and exact sums differ in the last digits. */
function near(own: unknown, answered: number): void {
  const number = Number(own)
  expect(Math.abs(number - answered), `${number} in the export, ${answered} in the API`).toBeLessThanOrEqual(
    1e-9 * Math.max(1, Math.abs(answered)),
  )
}
