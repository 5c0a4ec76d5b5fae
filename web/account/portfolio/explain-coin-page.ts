import type { z } from 'zod'
import { explainPortfolio } from '../../../api/portfolios/explain-portfolio.ts'
import { identifierParam } from '../../../api/params.ts'
import type { coinSchema } from '../../../api/pnl/explain-coin-schema.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { amount, day, type Money, moneyIn, percent } from '../../parts/format.ts'
import { html, type Html } from '../../parts/html.ts'
import { table } from '../../parts/table.ts'
import { type Asked, askedShape, linkTo, readQuery, selectOwn, type PortfolioVisit } from './asked.ts'

const shape = { ...askedShape, coinId: identifierParam('Coin') }
const LISTED = 200
/** Lots are kept in these currencies. */
const UNITS = ['USD', 'BTC', 'ETH'] as const
type Unit = (typeof UNITS)[number]

type Coin = z.output<typeof coinSchema>

/** How cost and profit of a coin come about: the sums, the lots still held, and what happened by month. */
export function explainCoinPage({ db, now }: { db: ReadonlyDb; now: () => Date }) {
  return async ({ request, account: { accountId }, show }: PortfolioVisit): Promise<void> => {
    const asked = readQuery(request, shape)
    const { coinId } = asked
    const { selected } = await selectOwn(db, { accountId, portfolio: asked.portfolio })
    const query = { coinId, currency: 'USD', page: 1, limit: LISTED }
    const { body } = await explainPortfolio(db, { selected, query, now: now() })
    const coin = body as Coin
    const unit = UNITS.find((one) => one === asked.currency) ?? 'USD'
    const money = moneyIn(unit)
    show({
      title: coin.figure.shown.coin.name || coinId,
      body: html`<p><a href="${linkTo('overview', asked)}">Back to the portfolio</a></p>
        ${unit !== asked.currency && html`<p class="soft">Lots are kept in USD, BTC and ETH; this page shows USD.</p>`}
        ${sums(coin, { unit, money })}
        <h2>Lots still held</h2>
        ${lots(coin, { unit, money })}
        <h2>By month</h2>
        ${months(coin, { asked, unit, money })}`,
    })
  }
}

interface Shown {
  unit: Unit
  money: Money
}

function sums({ figure, totals }: Coin, { unit, money }: Shown): Html {
  const worth = (value: Record<Unit, string>) => money.worth(Number(value[unit]))
  const change = (key: 'unrealized' | 'realized' | 'allTime') =>
    html`<strong>${money.change(Number(figure.profit[key][unit]))}</strong>
      <span class="soft">${percent(Number(figure.profitPercent[key][unit]))}</span>`
  return html`<dl class="panel">
    <dt>Value: ${amount(Number(figure.count))} at ${money.price(Number(figure.price[unit]))}</dt>
    <dd>${worth(figure.value)}</dd>
    <dt>less cost of the lots still held</dt>
    <dd>${worth(figure.totalCost)}</dd>
    <dt>is unrealised</dt>
    <dd>${change('unrealized')}</dd>
    <dt>Proceeds of ${amount(Number(totals.disposed.count))} sold, spent or sent</dt>
    <dd>${worth(totals.disposed.amount)}</dd>
    <dt>less their cost</dt>
    <dd>${worth(totals.disposedCost)}</dd>
    <dt>is realised</dt>
    <dd>${change('realized')}</dd>
    <dt>Both together</dt>
    <dd>${change('allTime')}</dd>
    <dt>Cost method</dt>
    <dd>${figure.method}</dd>
  </dl>`
}

const OF_LOTS = ['Amount', 'Cost', 'Cost of one']
const OF_MONTHS = ['Acquired', 'Cost', 'Disposed of', 'Proceeds', 'Their cost', 'Realised']

function lots({ openLots }: Coin, { unit, money }: Shown): Html {
  const { items, count } = openLots[unit]
  if (count === 0) return html`<p class="soft">Nothing is held.</p>`
  const listed = table({
    label: 'Lots',
    columns: ['Acquired', ...OF_LOTS],
    numbers: OF_LOTS,
    rows: items.map(({ acquiredAt, count: held, cost }) => [
      acquiredAt === null ? 'all together' : day(new Date(acquiredAt)),
      amount(Number(held)),
      money.worth(Number(cost)),
      Number(held) > 0 && money.price(Number(cost) / Number(held)),
    ]),
  })
  const more = count - items.length
  return html`${listed} ${more > 0 && html`<p class="soft">And ${more} more, which the API lists.</p>`}`
}

function months(coin: Coin, { asked, unit, money }: Shown & { asked: Asked & { coinId: string } }): Html {
  return table({
    label: 'Months',
    columns: ['Month', ...OF_MONTHS],
    numbers: OF_MONTHS,
    rows: coin.months.items.toReversed().map(({ month, acquired, disposed, disposedCost }) => {
      const [proceeds, cost] = [Number(disposed.amount[unit]), Number(disposedCost[unit])]
      const [from, to] = daysOf(month)
      const link = linkTo('transactions', asked, { coinId: asked.coinId, from, to })
      return [
        html`<a href="${link}">${month}</a>`,
        amount(Number(acquired.count)),
        money.worth(Number(acquired.amount[unit])),
        amount(Number(disposed.count)),
        money.worth(proceeds),
        money.worth(cost),
        money.change(proceeds - cost),
      ]
    }),
  })
}

/** First and last day of a month (YYYY-MM). */
function daysOf(month: string): [string, string] {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return [`${month}-01`, day(new Date(Date.UTC(year, number, 0)))]
}
