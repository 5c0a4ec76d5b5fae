import { add, toNumber, ZERO } from '../../../db/values/decimal.ts'
import { periodProfit } from '../../../db/pnl/periods/period-profit.ts'
import { counted, type Money, percent } from '../../parts/format.ts'
import { html, type Html } from '../../parts/html.ts'
import type { Asked } from './asked.ts'
import type { Overview } from './read-overview.ts'

/** The figures that an owner looks for first. Each one links to what explains it. */
export function figureTiles(
  { totals, hour24, periods, unpriced }: Overview,
  { asked, money }: { asked: Asked; money: Money },
): Html {
  const { profit, profitPercent } = totals
  const inRange = periods.reduce((sum, period) => add(sum, periodProfit(period).profitLoss), ZERO)
  const deposits = periods.reduce((sum, { flow }) => add(sum, flow), ZERO)
  const of = (key: 'unrealized' | 'realized') => ({
    value: toNumber(profit[key]),
    note: percent(toNumber(profitPercent[key])),
  })
  return html`<div class="tiles">
    <a class="tile" href="#coins"
      ><span class="soft">Value</span><strong>${money.worth(toNumber(totals.value))}</strong>
      <span class="soft"
        >${unpriced === 0 ? 'at the newest prices' : `${counted(unpriced, 'coin')} without a price: counted at cost`}</span
      ></a
    >
    ${changeTile(`Profit, ${asked.range === 'all' ? 'all time' : asked.range}`, '#chart', money, {
      value: toNumber(inRange),
      note: `without deposits of ${money.change(toNumber(deposits))}`,
    })}
    ${changeTile('Last 24 hours', '#coins', money, { value: hour24.profit, note: percent(hour24.percent) })}
    ${changeTile('Unrealised', '#coins', money, of('unrealized'))}
    ${changeTile('Realised', '#coins', money, of('realized'))}
  </div>`
}

function changeTile(
  name: string,
  link: string,
  money: Money,
  { value, note }: { value: number; note: string },
) {
  const mood = value > 0 ? ' good' : value < 0 ? ' bad' : ''
  return html`<a class="tile${mood}" href="${link}"
    ><span class="soft">${name}</span><strong>${money.change(value)}</strong>
    <span class="soft">${note}</span></a
  >`
}
