import type { KnownSource } from '../../db/console/read-sources.ts'
import type { SourceHealth } from '../../db/sources/read.ts'
import { type SourceState, stateInWords } from '../../db/sources/source-state.ts'
import { duration } from '../../db/values/duration.ts'
import { HOUR_MS } from '../../db/values/periods.ts'
import { barChart, legend } from '../parts/bar-chart.ts'
import { count, counted } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import { sourcePath } from './source-pages.ts'
import { ago, badge, gauge, type Mood, percent, sparkline } from './figures.ts'

export type ShownSource = KnownSource & { state: SourceState }

const HOURS = 24
const COLOURS = ['s0', 'bad']

/** Shows requests to all sources by hour, then the enabled sources by area. */
export function sourcesPart(sources: readonly ShownSource[], at: Date): Html {
  if (sources.length === 0)
    return html`<p class="panel problem">No sources yet: the worker lists them when it starts.</p>`
  const on = sources.filter(({ state }) => state.state !== 'off')
  const first = firstHour(on)
  return html`${requestsChart(on, { at, first })}
  ${[...Map.groupBy(on, ({ settings }) => settings.area)].map(
    ([area, own]) =>
      html`<h3>${area}</h3>
        ${table({
          label: `Sources of ${area}`,
          columns: [
            'Source',
            'State',
            'Last answer',
            'Age against target',
            'Requests, 24 h',
            'Errors, 2 h',
            'Errors, 24 h',
            'Allowance left',
            'Refused',
          ],
          numbers: ['Errors, 2 h', 'Errors, 24 h', 'Refused'],
          rows: own.map((source) => rowOf(source, { at, first })),
        })}`,
  )}`
}

function rowOf(
  { settings, health, state }: ShownSource,
  { at, first }: { at: Date; first: number },
): (string | Html)[] {
  const { name, freshnessTargetSeconds: target } = settings
  const mood: Mood =
    state.isLate || state.state === 'failing' ? 'bad' : state.state === 'paused' ? 'odd' : 'good'
  const words = stateInWords(settings, state)
  return [
    html`<a href="${sourcePath(name)}">${name}</a>`,
    html`${badge(!health ? 'none' : mood, !health ? 'no requests yet' : state.isLate ? `${words}, late` : words)}
    ${failureOf(health)}`,
    health?.lastSuccessAt ? ago(health.lastSuccessAt, at) : 'never',
    ageOf(state, { target, mood }),
    health
      ? sparkline({
          requests: health.requestsByHour.slice(first),
          failures: health.failuresByHour.slice(first),
        })
      : '–',
    health
      ? percent(sumOf(health.failuresByHour.slice(-2)), sumOf(health.requestsByHour.slice(-2))) || '–'
      : '–',
    health ? percent(health.failures24h, health.requests24h) || '–' : '–',
    state.budgetLeft,
    health && health.quarantined > 0
      ? html`<a href="/console/quarantine?source=${encodeURIComponent(name)}"
          >${count(health.quarantined)}</a
        >`
      : '0',
  ]
}

/** Age against target; without a target, which nodes have, the age alone. */
function ageOf(
  { lagSeconds, isLate }: SourceState,
  { target, mood }: { target: number | null; mood: Mood },
): string | Html {
  if (target === null) return lagSeconds === null ? '–' : duration(lagSeconds)
  if (lagSeconds === null) return `target ${duration(target)}`
  const words = `${duration(lagSeconds)} of ${duration(target)}`
  // Past its target without being late, nobody has needed it since.
  const shown = lagSeconds > target && !isLate && mood === 'good' ? 'none' : mood
  return html`${gauge({ value: lagSeconds, limit: target, mood: shown, label: `${words}${isLate ? ', late' : ''}` })}<span
      class="soft"
      >${words}</span
    >`
}

/** Shows the last failure unless the source answered since. */
function failureOf(health: SourceHealth | undefined): Html | false {
  if (!health?.lastFailure || !health.lastFailureAt) return false
  const isOver = health.lastSuccessAt !== null && health.lastSuccessAt > health.lastFailureAt
  return !isOver && html`<span class="soft small">${health.lastFailure}</span>`
}

/** The first of the last 24 hours with a request to any source: charts begin there. */
function firstHour(sources: readonly ShownSource[]): number {
  const hours = Array.from({ length: HOURS }, (_, i) =>
    sumOf(sources.map(({ health }) => health?.requestsByHour[i] ?? 0)),
  )
  return Math.max(
    0,
    hours.findIndex((requests) => requests > 0),
  )
}

function requestsChart(sources: readonly ShownSource[], { at, first }: { at: Date; first: number }): Html {
  const hours = Array.from({ length: HOURS }, (_, i) => {
    const requests = sumOf(sources.map(({ health }) => health?.requestsByHour[i] ?? 0))
    const failures = sumOf(sources.map(({ health }) => health?.failuresByHour[i] ?? 0))
    const hour = new Date(at.getTime() - (HOURS - 1 - i) * HOUR_MS).toISOString().slice(11, 13)
    return {
      label: `${hour}:00 UTC: ${counted(requests, 'request')}, ${count(failures)} failed`,
      hour,
      parts: [requests - failures, failures],
    }
  }).slice(first)
  const all = sumOf(hours.flatMap(({ parts }) => parts))
  return html`<h3>Requests to all sources by hour</h3>
    ${barChart({
      label: `Requests to all sources by hour in the last 24 hours, ${count(all)} in all`,
      bars: hours,
      ends: [first === 0 ? '24 hours ago' : `${hours[0]!.hour}:00 UTC`, 'now'],
      colours: COLOURS,
    })}
    ${legend(['answered', 'failed'], COLOURS)}`
}

/** Lists the sources that are off and the setting that turns each on. */
export function offSources(sources: readonly ShownSource[]): Html {
  const off = sources.filter(({ state }) => state.state === 'off')
  if (off.length === 0) return html`<p class="soft">All sources are on.</p>`
  return table({
    label: 'Sources that are off',
    columns: ['Source', 'Area', 'Turn on with'],
    rows: off.map(({ settings }) => [settings.name, settings.area, html`<code>${settings.missing}</code>`]),
  })
}

const sumOf = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0)
