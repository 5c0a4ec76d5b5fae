import type { UsageDay } from '../../db/account/read-account.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { barChart, legend } from './bar-chart.ts'
import { count, counted, day } from './format.ts'
import { html, type Html } from './html.ts'

const DAYS = 30
/** Number of endpoints with their own colour. The others share the last one. */
const SERIES = 4

const daysBefore = (now: Date, days: number): string => day(new Date(now.getTime() - days * DAY_MS))

/** The first day that the chart shows. */
export const firstDay = (now: Date): string => daysBefore(now, DAYS - 1)

/** Chart of credits by day and endpoint over the last 30 days. */
export function usageChart(rows: readonly UsageDay[], now: Date): Html {
  const endpoints = byCredits(rows)
  const days = new Map(totals(rows, ({ day }) => day).map((total) => [total.name, total]))
  const sum = endpoints.reduce((all, { credits }) => all + credits, 0)
  const named = endpoints.slice(0, SERIES).map(({ name }) => name)
  const seriesOf = (endpoint: string) => (named.includes(endpoint) ? named.indexOf(endpoint) : SERIES)
  const bars = Array.from({ length: DAYS }, (_, index) => {
    const date = daysBefore(now, DAYS - 1 - index)
    const parts = Array.from({ length: SERIES + 1 }, () => 0)
    for (const row of rows) if (row.day === date) parts[seriesOf(row.endpoint)]! += row.credits
    return { date, label: `${date}: ${counted(days.get(date)?.credits ?? 0, 'credit')}`, parts }
  })
  const shown = [...named, ...(endpoints.length > SERIES ? ['All others'] : [])]
  return html` <p>${counted(sum, 'credit')} in the last ${DAYS} days (UTC).</p>
    ${barChart({ label: `Credits by day in the last ${DAYS} days, ${count(sum)} in all`, bars, ends: [bars[0]!.date, 'today'] })}
    ${legend(shown)}`
}

/** Tables of the same figures. */
export const usageTables = (rows: readonly UsageDay[]): Html =>
  html`<h2>By endpoint</h2>
    ${table('Endpoint', byCredits(rows))}
    <details>
      <summary>By day, in figures</summary>
      ${table('Day', totals(rows, ({ day }) => day).reverse())}
    </details>`

const byCredits = (rows: readonly UsageDay[]): Total[] =>
  totals(rows, ({ endpoint }) => endpoint).sort((a, b) => b.credits - a.credits)

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
                  <td class="number">${count(calls)}</td>
                  <td class="number">${count(credits)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
