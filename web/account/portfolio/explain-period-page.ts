import type { z } from 'zod'
import { describePortfolio } from '../../../api/portfolios/describe-portfolio.ts'
import { explainPortfolio } from '../../../api/portfolios/explain-portfolio.ts'
import { enumParam, instantParam } from '../../../api/params.ts'
import type { pointSchema } from '../../../api/pnl/explain-point-schema.ts'
import { describeCoins, type CoinDescription } from '../../../db/pnl/lots/read-coins.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { INTERVALS } from '../../../db/values/periods.ts'
import { amount, minute, type Money, moneyIn } from '../../parts/format.ts'
import { html, type Html } from '../../parts/html.ts'
import { table } from '../../parts/table.ts'
import { askedShape, linkTo, readQuery, selectOwn, type PortfolioVisit } from './asked.ts'
import { change } from './change.ts'

const shape = {
  ...askedShape,
  from: instantParam('Start of the period'),
  to: instantParam('Its end'),
  interval: enumParam(INTERVALS),
}
const LISTED = 200

type Point = z.output<typeof pointSchema>
type End = Point['start']

/** Why a portfolio gained or lost in a period: both values by coin with their prices, and each deposit. */
export function explainPeriodPage({ db, now }: { db: ReadonlyDb; now: () => Date }) {
  return async ({ request, account: { accountId }, show }: PortfolioVisit): Promise<void> => {
    const asked = readQuery(request, shape)
    const { all, selected } = await selectOwn(db, { accountId, portfolio: asked.portfolio })
    const { from, to, currency } = asked
    // Nothing cuts an hour; as `hourly` it could be explained for a day only.
    const interval = asked.interval === 'hourly' ? 'daily' : asked.interval
    const query = { from, to, date: to, interval, currency, page: 1, limit: LISTED } as const
    const { body } = await explainPortfolio(db, { selected, query, now: now() })
    const point = body as Point
    const coinIds = [point.start, point.end].flatMap(({ positions }) =>
      positions.items.map(({ coinId }) => coinId),
    )
    const flowIds = point.flows.items.flatMap(({ terms }) => terms.map(({ coinId }) => coinId))
    const names = await describeCoins(db, [...new Set([...coinIds, ...flowIds])])
    const money = moneyIn(currency)
    const dollars = moneyIn('USD')
    const nameOf = (id: string) => {
      const found = all.find((one) => one.id === id)
      return found ? describePortfolio(found).name : id
    }
    show({
      title: `Profit until ${minute(new Date(point.figure.date))}`,
      body: html`<p><a href="${linkTo('overview', asked)}">Back to the portfolio</a></p>
        ${equation(point, money)}
        <h2>Where the change comes from</h2>
        <p class="soft">Coins by value, at the prices of both ends, in USD.</p>
        ${positions(point, { names, dollars })}
        <h2>Deposits and withdrawals</h2>
        ${flows(point, { names, money, dollars, nameOf })}`,
    })
  }
}

function equation({ figure, start, end, flows: { value } }: Point, money: Money): Html {
  return html`<dl class="panel">
    <dt>Value at the end, ${minute(new Date(end.at))}</dt>
    <dd>${money.worth(Number(end.value))}</dd>
    <dt>less value at the start, ${minute(new Date(start.at))}</dt>
    <dd>${money.worth(Number(start.value))}</dd>
    <dt>less deposits, plus withdrawals</dt>
    <dd>${money.worth(Number(value))}</dd>
    <dt>is the profit</dt>
    <dd><strong>${money.change(Number(figure.profitLoss))}</strong></dd>
  </dl>`
}

interface Held {
  count: number
  valueUsd: number
  priceUsd: number | null
}
const NOTHING: Held = { count: 0, valueUsd: 0, priceUsd: null }

/** The amounts of all ledgers together, by coin. */
function byCoin({ positions: { items } }: End): Map<string, Held> {
  const held = new Map<string, Held>()
  for (const { coinId, count, valueUsd, price } of items) {
    const before = held.get(coinId) ?? NOTHING
    held.set(coinId, {
      count: before.count + Number(count),
      valueUsd: before.valueUsd + Number(valueUsd),
      priceUsd: price ? Number(price.usd) : null,
    })
  }
  return held
}

const BOTH_ENDS = [
  'Amount, start',
  'Price, start',
  'Value, start',
  'Amount, end',
  'Price, end',
  'Value, end',
  'Change',
]

function positions(point: Point, shown: { names: Map<string, CoinDescription>; dollars: Money }): Html {
  const { names, dollars } = shown
  const [start, end] = [byCoin(point.start), byCoin(point.end)]
  const rows = [...new Set([...start.keys(), ...end.keys()])]
    .map((coinId) => {
      const [from, to] = [start.get(coinId) ?? NOTHING, end.get(coinId) ?? NOTHING]
      return { coinId, from, to, change: to.valueUsd - from.valueUsd }
    })
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change))
  const cells = ({ count, priceUsd, valueUsd }: Held) => [
    amount(count),
    priceUsd === null ? 'no price' : dollars.price(priceUsd),
    dollars.worth(valueUsd),
  ]
  return table({
    label: 'Coins at both ends',
    columns: ['Coin', ...BOTH_ENDS],
    numbers: BOTH_ENDS,
    rows: rows.map(({ coinId, from, to, change: moved }) => [
      names.get(coinId)?.name ?? coinId,
      ...cells(from),
      ...cells(to),
      change(moved, dollars),
    ]),
  })
}

function flows(
  { flows: { items, count, months } }: Point,
  shown: {
    names: Map<string, CoinDescription>
    money: Money
    dollars: Money
    nameOf: (id: string) => string
  },
): Html {
  const { names, money, dollars, nameOf } = shown
  if (count === 0 && months.length === 0) return html`<p class="soft">None in this period.</p>`
  if (count === 0) return html`<p class="soft">The period is long; the API lists its flows by month.</p>`
  const term = ({ coinId, count: moved, price }: Point['flows']['items'][number]['terms'][number]) => {
    const at = price ? ` at ${dollars.price(Number(price.usd))} (${price.source})` : ''
    return html`<span class="small">${amount(Number(moved))} ${names.get(coinId)?.name ?? coinId}${at}</span>`
  }
  const listed = table({
    label: 'Deposits and withdrawals',
    columns: ['Time', 'What moved, at which price', 'Portfolio', 'Counts as'],
    numbers: ['Counts as'],
    rows: items.map(({ at, terms, ledger, value, transaction }) => [
      minute(new Date(at)),
      html`${terms.map(term)}${transaction !== null && html`<code class="small">${transaction}</code>`}`,
      nameOf(ledger),
      money.change(Number(value)),
    ]),
  })
  const more = count - items.length
  return html`${listed} ${more > 0 && html`<p class="soft">And ${more} more, which the API lists.</p>`}`
}
