import { readFileSync } from 'node:fs'
import { html, type Html } from './html.ts'

/** Path of the script that says the values under the pointer. Pages with a chart name it. */
export const TIME_CHART_SCRIPT = '/scripts/time-chart.js'
export const timeChartScript = readFileSync(new URL('./time-chart.js', import.meta.url), 'utf8')

/** The plot as percentages of the picture: below it are the dates. */
const TOP = 6
const BOTTOM = 88
/** Units of the plot, which is stretched to the picture. */
const UNITS = 1_000
const TICKS = 4
const DATES = 3

export interface ChartPoint {
  atMs: number
  /** one for each line; null: the line has none here */
  values: readonly (number | null)[]
  /** Marks the point on the time axis; null: no mark. */
  mark?: 'in' | 'out' | null
  /** the cells of its row, the time first */
  cells: readonly (Html | string)[]
}

/**
 * Draws lines through points in time order, with axes, marks on the time axis, and a table of the same figures.
 * With its script the value under the pointer is shown, and the arrow keys walk through the points.
 */
export function timeChart(chart: {
  /** says for screen readers what the picture shows */
  label: string
  /** at least two */
  points: readonly ChartPoint[]
  lines: readonly string[]
  columns: readonly string[]
  format: (value: number) => string
  formatTime: (atMs: number) => string
}): Html {
  const { label, points, lines, columns, format, formatTime } = chart
  const [firstMs, lastMs] = [points[0]!.atMs, points.at(-1)!.atMs]
  const all = points.flatMap(({ values }) => values.filter((value) => value !== null))
  const ticks = ticksOf(Math.min(0, ...all), Math.max(...all))
  const [lowest, highest] = [ticks[0]!, ticks.at(-1)!]
  const part = (atMs: number) => (atMs - firstMs) / Math.max(1, lastMs - firstMs)
  const x = (atMs: number) => (part(atMs) * 100).toFixed(2)
  const y = (value: number) => (BOTTOM - ((value - lowest) / (highest - lowest)) * (BOTTOM - TOP)).toFixed(2)
  const inPlot = (value: number) => (UNITS * (1 - (value - lowest) / (highest - lowest))).toFixed(1)
  const path = (line: number) =>
    points
      .flatMap(({ atMs, values }) => {
        const value = values[line] ?? null
        return value === null ? [] : [`${(part(atMs) * UNITS).toFixed(1)},${inPlot(value)}`]
      })
      .join(' ')
  return html`<figure data-chart>
    <ul class="legend" aria-hidden="true">
      ${lines.map((name, n) => html`<li class="l${n}">${name}</li>`)}
    </ul>
    <svg class="time" role="img" tabindex="0" aria-label="${label}">
      ${ticks.map(
        (tick) =>
          html`<line class="grid" x1="0" x2="100%" y1="${y(tick)}%" y2="${y(tick)}%" /><text
              x="0"
              y="${y(tick)}%"
              dy="-3"
            >
              ${format(tick)}
            </text>`,
      )}
      ${datesOf(firstMs, lastMs).map(
        (atMs, n, { length }) =>
          html`<text
            x="${x(atMs)}%"
            y="98%"
            text-anchor="${n === 0 ? 'start' : n === length - 1 ? 'end' : 'middle'}"
          >
            ${formatTime(atMs)}
          </text>`,
      )}
      <svg
        class="plot"
        y="${TOP}%"
        width="100%"
        height="${BOTTOM - TOP}%"
        viewBox="0 0 ${UNITS} ${UNITS}"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        ${lines.map((_, n) => html`<polyline class="line l${n}" points="${path(n)}" />`)}
      </svg>
      ${points.map(
        ({ atMs, mark }) =>
          mark && html`<circle class="mark ${mark}" cx="${x(atMs)}%" cy="${BOTTOM}%" r="4" />`,
      )}
      <line class="cursor" x1="0" x2="0" y1="${TOP}%" y2="${BOTTOM}%" visibility="hidden" />
    </svg>
    <output class="soft"></output>
    <details>
      <summary>The chart in figures</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="${label}, in figures">
        <table>
          <thead>
            <tr>
              ${columns.map((name, n) => html`<th scope="col" ${n > 0 && html`class="number"`}>${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${points.toReversed().map(
              ({ atMs, cells }) =>
                html`<tr data-x="${x(atMs)}">
                  ${cells.map((cell, n) => (n === 0 ? html`<th scope="row">${cell}</th>` : html`<td class="number">${cell}</td>`))}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`
}

/** Round values from at most `low` to at least `high`, evenly spaced. */
export function ticksOf(low: number, high: number): number[] {
  const raw = (high - low || 1) / TICKS
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= raw)!
  const first = Math.floor(low / step)
  const last = Math.max(first + 1, Math.ceil(high / step))
  // Multiples instead of sums, so that no rounding adds up.
  return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step)
}

const datesOf = (firstMs: number, lastMs: number): number[] =>
  Array.from({ length: DATES }, (_, n) => firstMs + ((lastMs - firstMs) * n) / (DATES - 1))
