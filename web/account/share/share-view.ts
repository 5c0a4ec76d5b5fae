import { day, minute } from '../../parts/format.ts'
import { html, type Html } from '../../parts/html.ts'
import { lineChart } from '../../parts/line-chart.ts'
import type { SharedView } from './read-shared.ts'

const usd = (value: number): string => value.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
const price = (value: number): string =>
  value.toLocaleString('en-US', { style: 'currency', currency: 'USD', maximumSignificantDigits: 6 })
const amount = (value: number): string => value.toLocaleString('en-US', { maximumSignificantDigits: 8 })

/** A portfolio as its link shows it. */
export function shareView({ asOf, value, cost, allTimeProfit, coins, chart }: SharedView): Html {
  const points = chart.map(([atMs, inUsd]) => ({ atMs, value: inUsd }))
  return html`<dl class="panel">
      <dt>Value</dt>
      <dd><strong>${usd(value)}</strong></dd>
      <dt>Cost of what is held</dt>
      <dd>${usd(cost)}</dd>
      <dt>Profit, all time</dt>
      <dd>${usd(allTimeProfit)}</dd>
      ${
        asOf &&
        html`<dt>Data of</dt>
          <dd>${minute(asOf)}</dd>`
      }
    </dl>
    ${
      points.length > 1 &&
      html`<h2>Value over the last year</h2>
        ${lineChart({ label: `Value over the last year: from ${usd(points[0]!.value)} to ${usd(points.at(-1)!.value)}`, points, format: usd, ends: [day(new Date(points[0]!.atMs)), day(new Date(points.at(-1)!.atMs))] })}`
    }
    <h2>Coins</h2>
    ${
      coins.length === 0
        ? html`<p class="soft">It holds nothing.</p>`
        : html`<div class="scroll" tabindex="0" role="region" aria-label="Coins">
            <table>
              <thead>
                <tr>
                  <th scope="col">Coin</th>
                  <th scope="col" class="number">Amount</th>
                  <th scope="col" class="number">Price</th>
                  <th scope="col" class="number">Value</th>
                  <th scope="col" class="number">Profit</th>
                </tr>
              </thead>
              <tbody>
                ${coins.map(
                  (coin) =>
                    html`<tr>
                      <th scope="row">${coin.name} <span class="soft">${coin.symbol}</span></th>
                      <td class="number">${amount(coin.count)}</td>
                      <td class="number">${price(coin.price)}</td>
                      <td class="number">${usd(coin.value)}</td>
                      <td class="number">${usd(coin.profit)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
    <h2>The same as data</h2>
    <p>
      What follows <code>/p/</code> in the address of this page is a share token. With an API key of your own
      every <code>GET /v1/portfolio/</code> endpoint shows this portfolio when the token is in the header
      <code>sharetoken</code>, and the passcode, where there is one, in <code>passcode</code>: see the
      <a href="/v1/docs">reference</a>.
    </p>`
}
