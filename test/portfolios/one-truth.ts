import { isNftCoin } from '../../db/values/coins.ts'

// Holds the sums that all endpoints of an installation return against each other, at one instant.

/** Returns the body of an answer with status 200. With a body it is a POST. */
// Answers of every shape.
// eslint-disable-next-line typescript/no-explicit-any
export type Ask = (path: string, body?: unknown) => Promise<any>

export interface Followed {
  ask: Ask
  /** Wallets of portfolios, by the id of the portfolio. */
  wallets: Readonly<Record<string, { address: string; connectionId: string }>>
  /** Credentials of exchange accounts, by the id of the portfolio. */
  exchanges: Readonly<Record<string, { connectionId: string; connectionFields: object }>>
  /** true: positions of the wallets in DeFi protocols were read */
  hasDefi: boolean
  /** A share link to a portfolio, with the text of its page. */
  share?: { portfolioId: string; token: string; page: string }
}

const UNITS = ['USD', 'BTC', 'ETH'] as const
type Triple = Record<(typeof UNITS)[number], number>
type Pick = (one: any) => number

const sumOf = (items: readonly any[], pick: Pick): number => items.reduce((sum, one) => sum + pick(one), 0)
const usd = (value: number) => value.toLocaleString('en-US', { style: 'currency', currency: 'USD' })

/** Returns the number of pairs of figures, and the pairs that differ. */
export async function oneTruth(followed: Followed): Promise<{ compared: number; differences: string[] }> {
  const { ask } = followed
  const differences: string[] = []
  let compared = 0
  const same = (what: string, figures: Record<string, number>) => {
    const [[name, value], ...others] = Object.entries(figures) as [[string, number], ...[string, number][]]
    for (const [other, found] of others) {
      compared++
      const scale = Math.max(1, Math.abs(value), Math.abs(found))
      if (!(Math.abs(value - found) <= 1e-9 * scale))
        differences.push(`${what}: ${name} ${value}, ${other} ${found}`)
    }
  }
  const sameTriple = (what: string, figures: Record<string, Triple>) => {
    for (const unit of UNITS) {
      const of = Object.entries(figures).map(([name, triple]) => [name, triple[unit]])
      same(`${what} in ${unit}`, Object.fromEntries(of))
    }
  }
  const triple = (of: (unit: keyof Triple) => number): Triple => ({
    USD: of('USD'),
    BTC: of('BTC'),
    ETH: of('ETH'),
  })

  const quotes = new Map<string, number>()
  const samePrices = async (what: string, prices: readonly { coinId: string; usd: number }[]) => {
    // Assets that an exchange alone knows are no coins, and NFTs have no price.
    const known = prices.map(({ coinId }) => coinId).filter((id) => /^[\w.-]+$/.test(id) && !isNftCoin(id))
    const ids = new Set(known)
    const unknown = [...ids].filter((id) => !quotes.has(id))
    if (unknown.length > 0) {
      const { result } = await ask(`/coins?limit=100&coinIds=${unknown.join(',')}`)
      for (const { id, price } of result) quotes.set(id, price)
    }
    for (const { coinId, usd: price } of prices)
      if (quotes.has(coinId)) same(`${what}: price of ${coinId}`, { own: price, coins: quotes.get(coinId)! })
  }

  /** All rows of a paged list. */
  const rowsOf = async (path: string): Promise<any[]> => {
    for (const rows: any[] = [], page = { number: 1 }; ; page.number++) {
      const { result } = await ask(`${path}limit=100&page=${page.number}`)
      rows.push(...result)
      if (result.length < 100) return rows
    }
  }

  /** Value, coins, charts, history and explanation of one scope. Returns its value. */
  const sameInScope = async (scope: {
    name: string
    path: string
    of: string
    rows: any[]
    totals: { value: Triple; cost: Triple; profit: Triple; unpriced: Triple }
  }): Promise<number> => {
    const { name, path, of, rows, totals } = scope
    sameTriple(`${name}: value`, {
      total: totals.value,
      coins: triple((unit) => totals.unpriced[unit] + sumOf(rows, (row) => row.count * row.price[unit])),
    })
    sameTriple(`${name}: cost`, {
      total: totals.cost,
      coins: triple((unit) => sumOf(rows, (row) => row.totalCost[unit])),
    })
    sameTriple(`${name}: profit`, {
      total: totals.profit,
      coins: triple((unit) => sumOf(rows, (row) => row.profit.allTime[unit])),
      parts: triple((unit) => sumOf(rows, (row) => row.profit.realized[unit] + row.profit.unrealized[unit])),
    })
    await samePrices(
      name,
      rows.map(({ coin, price }) => ({ coinId: coin.identifier, usd: price.USD })),
    )
    for (const type of ['24h', '1y']) {
      const last = (await ask(`${path}/chart?type=${type}&${of}`)).result.at(-1) ?? [0, 0, 0, 0]
      const [, ...values] = last
      const end = triple((unit) => values[UNITS.indexOf(unit)])
      sameTriple(`${name}: end of the chart of ${type}`, { total: totals.value, chart: end })
    }
    for (const currency of UNITS) {
      const window = `interval=daily&range=all&currency=${currency}&${of}`
      const { result } = await ask(`${path}/pl/history?${window}`)
      same(`${name}: profit in ${currency}`, {
        total: totals.profit[currency],
        history: sumOf(result, (point) => point.profitLoss),
      })
    }
    return totals.value.USD
  }

  const summed = ({ summary }: any) => ({
    value: summary.totalValue as Triple,
    cost: summary.totalCost as Triple,
    profit: summary.profit.allTime as Triple,
    unpriced: summary.unpriced.cost as Triple,
  })
  const sameInPortfolio = async (name: string, of: string) => {
    const values = { USD: null, BTC: null, ETH: null } as Record<keyof Triple, any>
    for (const currency of UNITS) values[currency] = await ask(`/portfolio/value?currency=${currency}&${of}`)
    const totals = {
      value: triple((unit) => values[unit].totalValue),
      cost: triple((unit) => values[unit].totalCost),
      profit: triple((unit) => values[unit].allTimeProfitLoss),
      unpriced: triple((unit) => values[unit].unpriced.cost),
    }
    const rows = await rowsOf(`/portfolio/coins?${of}&`)
    await sameInScope({ name, path: '/portfolio', of, rows, totals })
    return { rows, value: totals.value.USD, defi: values.USD.defiValue as number }
  }

  const { result: portfolios } = await ask('/portfolio/list')
  const own = new Map<string, number>()
  for (const { portfolioId: id, portfolioName: name } of portfolios) {
    const { value } = await sameInPortfolio(name, `portfolioId=${id}`)
    own.set(id, value)
    const wallet = followed.wallets[id]
    const exchange = followed.exchanges[id]
    if (wallet) {
      const of = `address=${wallet.address}&connectionId=${wallet.connectionId}`
      const rows = await rowsOf(`/wallet/pl?${of}&`)
      const totals = summed(await ask(`/wallet/pl?${of}`))
      await sameInScope({ name: `${name}, its wallet`, path: '/wallet', of, rows, totals })
      const balances = await ask(`/wallet/balance?${of}`)
      // Coins without a market price count as what was paid for them.
      const unpriced = totals.unpriced.USD
      const held = unpriced + sumOf(balances, (one) => one.amount * one.price)
      const [many] = await ask(`/wallet/balance/many?wallets=${wallet.connectionId}:${wallet.address}`)
      const alone = unpriced + sumOf(many.balances, (one) => one.amount * one.price)
      same(`${name}: value`, { portfolio: value, pl: totals.value.USD, balance: held, many: alone })
      await samePrices(
        `${name}, its balances`,
        balances.map((one: any) => ({ coinId: one.coinId, usd: one.price })),
      )
    }
    if (exchange) {
      const of = `portfolioId=${id}`
      const rows = await rowsOf(`/exchange/pl?${of}&`)
      const totals = summed(await ask(`/exchange/pl?${of}`))
      await sameInScope({ name: `${name}, its exchange account`, path: '/exchange', of, rows, totals })
      const { balances } = await ask('/exchange/balance', exchange)
      const held = totals.unpriced.USD + sumOf(balances, (one) => one.amount * one.price)
      same(`${name}: value`, { portfolio: value, pl: totals.value.USD, balance: held })
    }
  }

  const whole = await sameInPortfolio('all portfolios', '')
  const window = 'interval=daily&range=1w'
  const { date } = (await ask(`/portfolio/pl/history?${window}`)).result.at(-1)
  const bounds = `interval=daily&from=${new Date(Date.parse(date) - 6 * 86_400_000).toISOString()}&to=${date}`
  const { end } = await ask(`/portfolio/explain?${bounds}&date=${date}&limit=100`)
  const ledgers = sumOf(end.ledgers, ({ value }) => Number(value))
  const inFlight = Number(end.value) - ledgers
  same('all portfolios: value', {
    total: whole.value,
    explained: Number(end.value),
    'sum of the portfolios and what is between them': sumOf([...own.values()], (value) => value) + inFlight,
  })
  for (const { ledger, value } of end.ledgers)
    same(`explained value of ${ledger}`, { value: own.get(ledger)!, explained: Number(value) })

  if (followed.hasDefi) {
    const defi = await ask('/portfolio/defi')
    const investments = defi.protocols.flatMap(({ investments: ofProtocol }: any) => ofProtocol)
    const assets = investments.flatMap(({ assets: ofInvestment }: any) => ofInvestment)
    const wallets = []
    for (const { address, connectionId } of Object.values(followed.wallets))
      wallets.push(await ask(`/wallet/defi?address=${address}&connectionId=${connectionId}`))
    same('positions', {
      value: whole.defi,
      total: defi.totalAssets.USD,
      protocols: sumOf(defi.protocols, ({ totalValue }) => totalValue.USD),
      investments: sumOf(investments, ({ value }) => value?.USD ?? 0),
      wallets: sumOf(wallets, ({ totalAssets }) => totalAssets.USD),
    })
    await samePrices(
      'positions',
      assets.flatMap(({ coinId, unitPrice }: any) => (unitPrice ? [{ coinId, usd: unitPrice.USD }] : [])),
    )
    for (const { amount, price, unitPrice } of assets)
      if (price) same('value of an asset', { value: price.USD, product: amount * unitPrice.USD })
  }

  if (followed.share) {
    const { portfolioId, token, page } = followed.share
    const { totalValue } = await ask(`/portfolio/value?currency=USD&shareToken=${token}`)
    same('shared value', { own: own.get(portfolioId)!, shared: totalValue })
    compared++
    if (!page.includes(`<strong>${usd(totalValue)}</strong>`))
      differences.push(`the page of the share does not show ${usd(totalValue)}`)
  }
  return { compared, differences }
}
