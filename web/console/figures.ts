import { duration } from '../../db/values/duration.ts'
import { count, counted } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'

/** Colour of a figure. The text must say the same, for people who cannot see colours. */
export type Mood = 'good' | 'odd' | 'bad' | 'none'

export const badge = (mood: Mood, text: string | Html): Html =>
  html`<span class="badge ${mood}">${text}</span>`

/** A headline figure with its details. */
export const tile = (facts: {
  name: string
  figure: string
  detail: string
  mood: Mood
  href: string
}): Html => {
  const { name, figure, detail, mood, href } = facts
  return html`<a class="tile ${mood}" href="${href}"
    ><span>${name}</span> <strong>${figure}</strong> <span class="soft">${detail}</span></a
  >`
}

/** A bar of `value` against `limit`, which is in the middle. */
export function gauge(facts: { value: number; limit: number; label: string; mood: Mood }): Html {
  const { value, limit, label, mood } = facts
  const width = Math.min(100, (50 * value) / limit)
  return html`<svg
    class="gauge"
    viewBox="0 0 100 8"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    <rect class="track" width="100" height="8" />
    <rect class="${mood}" width="${width.toFixed(1)}" height="8" />
    <line class="mark" x1="50" y1="0" x2="50" y2="8" />
  </svg>`
}

/** A share of the whole as a bar. Its value must be in the text beside it. */
export const share = (part: number): Html =>
  html`<svg class="gauge" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="8" />
    <rect class="s0" width="${(100 * part).toFixed(1)}" height="8" />
  </svg>`

const SPARK_HEIGHT = 24
const SPARK_STEP = 4

/** Bars of requests by hour with failures on top. */
export function sparkline(facts: { requests: readonly number[]; failures: readonly number[] }): Html {
  const { requests, failures } = facts
  const highest = Math.max(1, ...requests)
  const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0)
  const label = `${counted(sum(requests), 'request')} in 24 hours, ${count(sum(failures))} failed, at most ${count(highest)} an hour`
  const heightOf = (value: number) => (value / highest) * SPARK_HEIGHT
  const bars = requests.map((all, i) => {
    const failed = failures[i] ?? 0
    const [whole, bad] = [heightOf(all), heightOf(failed)]
    const x = i * SPARK_STEP
    const top = SPARK_HEIGHT - whole
    return html`${all > failed && html`<rect class="s0" x="${x}" y="${(top + bad).toFixed(1)}" width="3" height="${(whole - bad).toFixed(1)}" />`}${
      failed > 0 &&
      html`<rect class="bad" x="${x}" y="${top.toFixed(1)}" width="3" height="${bad.toFixed(1)}" />`
    }`
  })
  const width = requests.length * SPARK_STEP
  return html`<svg
    class="spark"
    viewBox="0 0 ${width} ${SPARK_HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    <line class="axis" x1="0" y1="${SPARK_HEIGHT - 0.5}" x2="${width}" y2="${SPARK_HEIGHT - 0.5}" />
    ${bars}
  </svg>`
}

export const ago = (at: Date, now: Date): string => `${duration(secondsBetween(at, now))} ago`
export const until = (at: Date, now: Date): string => `in ${duration(secondsBetween(now, at))}`

export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, (to.getTime() - from.getTime()) / 1_000)

/** `0.4 %`; empty: `all` is 0. */
export const percent = (part: number, all: number): string =>
  all === 0 ? '' : `${((100 * part) / all).toFixed(1)} %`
