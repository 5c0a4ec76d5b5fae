import type { UsageDay } from '../db/account/read-account.ts'
import { DAY_MS } from '../db/values/periods.ts'
import { barChart } from './page/bar-chart.ts'
import { html, type Html } from './page/html.ts'

const DAYS = 30
/** Endpoints with a colour of their own; the others share the last one. */
const SERIES = 4

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The first day that the chart shows. */
export const firstDay = (now: Date): string => dayOf(now.getTime() - (DAYS - 1) * DAY_MS)

const number = (value: number): string => value.toLocaleString('en-US')

/** Credits of the last 30 days by day and endpoint, as a picture and in figures. */
export function usageChart(rows: readonly UsageDay[], now: Date): Html {
  const endpoints = totals(rows, ({ endpoint }) => endpoint).sort((a, b) => b.credits - a.credits)
  const days = new Map(totals(rows, ({ day }) => day).map((total) => [total.name, total]))
  const sum = endpoints.reduce((all, { credits }) => all + credits, 0)
  const named = endpoints.slice(0, SERIES).map(({ name }) => name)
  const seriesOf = (endpoint: string) => (named.includes(endpoint) ? named.indexOf(endpoint) : SERIES)
  const bars = Array.from({ length: DAYS }, (_, index) => {
    const day = dayOf(now.getTime() - (DAYS - 1 - index) * DAY_MS)
    const parts = Array.from({ length: SERIES + 1 }, () => 0)
    for (const row of rows) if (row.day === day) parts[seriesOf(row.endpoint)]! += row.credits
    return { day, label: `${day}: ${number(days.get(day)?.credits ?? 0)} credits`, parts }
  })
  const legend = [...named, ...(endpoints.length > SERIES ? ['All others'] : [])]
  return html` <p>${number(sum)} credits in the last ${DAYS} days (UTC).</p>
    ${barChart({ label: `Credits by day in the last ${DAYS} days, ${number(sum)} in all`, bars, ends: [bars[0]!.day, 'today'] })}
    <ul class="legend">
      ${legend.map(
        (name, index) =>
          html`<li>
            <svg viewBox="0 0 1 1" aria-hidden="true"><rect class="s${index}" width="1" height="1" /></svg
            >${name}
          </li>`,
      )}
    </ul>
    <h2>By endpoint</h2>
    ${table('Endpoint', endpoints)}
    <details>
      <summary>By day, in figures</summary>
      ${table('Day', [...days.values()].reverse())}
    </details>`
}

interface Total {
  name: string
  calls: number
  credits: number
}

function totals(rows: readonly UsageDay[], nameOf: (row: UsageDay) => string): Total[] {
  const found = new Map<string, Total>()
  for (const row of rows) {
    const total = found.get(nameOf(row)) ?? { name: nameOf(row), calls: 0, credits: 0 }
    found.set(total.name, { ...total, calls: total.calls + row.calls, credits: total.credits + row.credits })
  }
  return [...found.values()]
}

const table = (what: string, rows: readonly Total[]): Html =>
  rows.length === 0
    ? html`<p class="soft">Nothing was charged.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Credits by ${what.toLowerCase()}">
        <table>
          <thead>
            <tr>
              <th scope="col">${what}</th>
              <th scope="col" class="number">Calls</th>
              <th scope="col" class="number">Credits</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ({ name, calls, credits }) =>
                html`<tr>
                  <th scope="row">${name}</th>
                  <td class="number">${number(calls)}</td>
                  <td class="number">${number(credits)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
