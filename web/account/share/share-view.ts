import { amount, minute, moneyIn } from '../../parts/format.ts'
import { html, type Html } from '../../parts/html.ts'
import { table } from '../../parts/table.ts'
import { change } from '../portfolio/change.ts'
import { valueChart } from '../portfolio/value-chart.ts'
import type { SharedView } from './read-shared.ts'

const money = moneyIn('USD')
const NUMBERS = ['Amount', 'Price', 'Value', 'Profit']

/** Body of the page of a shared portfolio. */
export function shareView({ asOf, value, cost, allTimeProfit, coins, periods }: SharedView): Html {
  return html`<dl class="panel">
      <dt>Value</dt>
      <dd><strong>${money.worth(value)}</strong></dd>
      <dt>Cost basis</dt>
      <dd>${money.worth(cost)}</dd>
      <dt>All-time profit</dt>
      <dd>${money.worth(allTimeProfit)}</dd>
      ${
        asOf &&
        html`<dt>Data as of</dt>
          <dd>${minute(asOf)}</dd>`
      }
    </dl>
    <h2>Value over the last year</h2>
    ${valueChart(periods, { currency: 'USD', money })}
    <h2>Coins</h2>
    ${
      coins.length === 0
        ? html`<p class="soft">The portfolio holds no coins.</p>`
        : table({ label: 'Coins', columns: ['Coin', ...NUMBERS], numbers: NUMBERS, rows: coins.map(row) })
    }
    <h2>Read this portfolio with the API</h2>
    <p>
      The part after <code>/p/</code> in the URL of this page is a share token. Send it with your own API key
      in the header <code>sharetoken</code>, and the passcode, if there is one, in <code>passcode</code>.
      Every <code>GET /v1/portfolio/</code> endpoint then returns this portfolio: see the
      <a href="/v1/docs">reference</a>.
    </p>`
}

const row = ({ name, symbol, count, price, value, profit }: SharedView['coins'][number]) => [
  html`${name} <span class="soft">${symbol}</span>`,
  amount(count),
  price === null ? 'no price' : money.price(price),
  money.worth(value),
  change(profit, money),
]
