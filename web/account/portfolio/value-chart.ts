import { periodProfit } from '../../../db/pnl/periods/period-profit.ts'
import type { PlPeriod } from '../../../db/pnl/periods/read-periods.ts'
import { add, type Decimal, isZero, sign, toNumber } from '../../../db/values/decimal.ts'
import { DAY_MS } from '../../../db/values/periods.ts'
import { day, minute, type Money } from '../../parts/format.ts'
import { html, type Html } from '../../parts/html.ts'
import { type ChartPoint, timeChart } from '../../parts/time-chart.ts'

/** Value and what was put in, so that gains and deposits are told apart. `linkOf`: what explains a period. */
export function valueChart(
  periods: readonly PlPeriod[],
  { currency, money, linkOf }: { currency: string; money: Money; linkOf?: (period: PlPeriod) => string },
): Html {
  const [first, last] = [periods[0], periods.at(-1)]
  if (!first || !last) return html`<p class="soft">Nothing was held in this time.</p>`
  // The first and the last period may be cut short.
  const isHourly = periods.length > 2 && last.startMs - first.endMs < DAY_MS * (periods.length - 2)
  const formatTime = (atMs: number) => (isHourly ? minute : day)(new Date(atMs))
  const [from, to] = [first.opening, last.closing].map((value) => money.worth(toNumber(value)))
  return timeChart({
    label: `Value in ${currency}: from ${from} to ${to}`,
    points: pointsOf(periods, { money, formatTime, linkOf }),
    lines: ['Value', 'Value without gains: what was there at the start, plus deposits'],
    columns: ['Until', 'Value', 'Deposits', 'Profit'],
    format: money.round,
    formatTime,
  })
}

function pointsOf(
  periods: readonly PlPeriod[],
  shown: {
    money: Money
    formatTime: (atMs: number) => string
    linkOf: ((period: PlPeriod) => string) | undefined
  },
): ChartPoint[] {
  const { money, formatTime, linkOf } = shown
  const { startMs, opening } = periods[0]!
  let put: Decimal = opening
  const start: ChartPoint = {
    atMs: startMs,
    values: [toNumber(put), toNumber(put)],
    cells: [formatTime(startMs), money.worth(toNumber(put)), '', ''],
  }
  const ends = periods.map((period): ChartPoint => {
    const { endMs, closing, flow } = period
    put = add(put, flow)
    const time = formatTime(endMs)
    return {
      atMs: endMs,
      values: [toNumber(closing), toNumber(put)],
      mark: isZero(flow) ? null : sign(flow) > 0 ? 'in' : 'out',
      cells: [
        linkOf ? html`<a href="${linkOf(period)}">${time}</a>` : time,
        money.worth(toNumber(closing)),
        isZero(flow) ? '' : money.change(toNumber(flow)),
        money.change(toNumber(periodProfit(period).profitLoss)),
      ],
    }
  })
  return [start, ...ends]
}
