import { html, type Html } from './html.ts'

const WIDTH = 600
const HEIGHT = 160
const EDGE = 2

/** Draws a line through points in time order, with zero in view. Axis ends and maximum are shown as text. */
export function lineChart(chart: {
  label: string
  points: readonly { atMs: number; value: number }[]
  format: (value: number) => string
  ends: [string, string]
}): Html {
  const { label, points, format, ends } = chart
  const first = points[0]!.atMs
  const span = Math.max(1, points.at(-1)!.atMs - first)
  const highest = Math.max(...points.map(({ value }) => value))
  const lowest = Math.min(0, ...points.map(({ value }) => value))
  const scale = (HEIGHT - 2 * EDGE) / (highest - lowest || 1)
  const path = points
    .map(({ atMs, value }) => {
      const x = ((atMs - first) / span) * WIDTH
      return `${x.toFixed(1)},${(HEIGHT - EDGE - (value - lowest) * scale).toFixed(1)}`
    })
    .join(' ')
  return html`<figure>
    <figcaption class="soft">Highest: ${format(highest)}</figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
      <polyline class="line" points="${path}" />
      <line class="axis" x1="0" y1="${HEIGHT - 0.5}" x2="${WIDTH}" y2="${HEIGHT - 0.5}" />
    </svg>
    <div class="ends soft"><span>${ends[0]}</span><span>${ends[1]}</span></div>
  </figure>`
}
