import { day, minute } from '../../parts/format.ts'
import { html, type Html } from '../../parts/html.ts'
import { lineChart } from '../../parts/line-chart.ts'
import type { SharedView } from './read-shared.ts'

const usd = (value: number): string => value.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
const price = (value: number): string =>
  value.toLocaleString('en-US', { style: 'currency', currency: 'USD', maximumSignificantDigits: 6 })
const amount = (value: number): string => value.toLocaleString('en-US', { maximumSignificantDigits: 8 })

/** Body of the page of a shared portfolio. */
export function shareView({ asOf, value, cost, allTimeProfit, coins, chart }: SharedView): Html {
  const points = chart.map(([atMs, inUsd]) => ({ atMs, value: inUsd }))
  return html`<dl class="panel">
      <dt>Value</dt>
      <dd><strong>${usd(value)}</strong></dd>
      <dt>Cost basis</dt>
      <dd>${usd(cost)}</dd>
      <dt>All-time profit</dt>
      <dd>${usd(allTimeProfit)}</dd>
      ${
        asOf &&
        html`<dt>Data as of</dt>
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
        ? html`<p class="soft">The portfolio holds no coins.</p>`
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
                      <td class="number">${coin.price === null ? 'no price' : price(coin.price)}</td>
                      <td class="number">${usd(coin.value)}</td>
                      <td class="number">${usd(coin.profit)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
    <h2>Read this portfolio with the API</h2>
    <p>
      The part after <code>/p/</code> in the URL of this page is a share token. Send it with your own API key
      in the header <code>sharetoken</code>, and the passcode, if there is one, in <code>passcode</code>.
      Every <code>GET /v1/portfolio/</code> endpoint then returns this portfolio: see the
      <a href="/v1/docs">reference</a>.
    </p>`
}
