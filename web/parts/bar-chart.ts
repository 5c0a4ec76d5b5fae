import { count } from './format.ts'
import { html, type Html } from './html.ts'

const HEIGHT = 120
const STEP = 10
const GAP = 2

export interface Bar {
  /** Tooltip of the bar. */
  label: string
  /** Heights from the bottom up, in the order of the series. */
  parts: readonly number[]
}

/** CSS class of each series. */
const COLOURS: readonly string[] = ['s0', 's1', 's2', 's3', 's4']

/** Draws stacked bars. `label` describes them for screen readers; axis ends and maximum are shown as text. */
export function barChart(chart: {
  label: string
  bars: readonly Bar[]
  ends: [string, string]
  colours?: readonly string[]
}): Html {
  const { label, bars, ends, colours = COLOURS } = chart
  const totals = bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0))
  const highest = Math.max(1, ...totals)
  const width = bars.length * STEP
  const rects = bars.map(({ label: said, parts }, index) => {
    let top = HEIGHT
    const stack = parts.map((part, series) => {
      const height = (part / highest) * HEIGHT
      top -= height
      return (
        height > 0 &&
        html`<rect
          class="${colours[series]!}"
          x="${index * STEP + GAP / 2}"
          y="${top.toFixed(2)}"
          width="${STEP - GAP}"
          height="${height.toFixed(2)}"
        />`
      )
    })
    return html`<g><title>${said}</title>${stack}</g>`
  })
  return html`<figure>
    <figcaption class="soft">Highest: ${count(highest)}</figcaption>
    <svg viewBox="0 0 ${width} ${HEIGHT + 1}" preserveAspectRatio="none" role="img" aria-label="${label}">
      ${rects}
      <line class="axis" x1="0" y1="${HEIGHT + 0.5}" x2="${width}" y2="${HEIGHT + 0.5}" />
    </svg>
    <div class="ends soft"><span>${ends[0]}</span><span>${ends[1]}</span></div>
  </figure>`
}

/** Legend of the colours. */
export const legend = (names: readonly string[], colours: readonly string[] = COLOURS): Html =>
  html`<ul class="legend">
    ${names.map(
      (name, index) =>
        html`<li>
          <svg viewBox="0 0 1 1" aria-hidden="true">
            <rect class="${colours[index]!}" width="1" height="1" /></svg
          >${name}
        </li>`,
    )}
  </ul>`
