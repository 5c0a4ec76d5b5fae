import { duration } from '../values/duration.ts'
import type { SourceHealth } from './read.ts'
import type { SourceSettings } from './settings.ts'

export interface SourceState {
  /** paused: it asked for that, or failed too often in a row. */
  state: 'on' | 'paused' | 'off'
  pauseSeconds: number
  /** Since its last answer; null: there was none. */
  lagSeconds: number | null
  isLate: boolean
  /** Of the free plan what is left of the day or month; else how many requests may go out at once. */
  budgetLeft: string
}

/** What is to be made of a source now. `health` is absent as long as it was never asked. */
export function sourceState(options: {
  settings: SourceSettings
  health: SourceHealth | undefined
  now: Date
}): SourceState {
  const { settings, health, now } = options
  const isOn = settings.missing === null
  const pauseSeconds = isOn && health ? pauseOf(settings, health, now) : 0
  const lagSeconds = health?.lastSuccessAt
    ? Math.max(0, (now.getTime() - health.lastSuccessAt.getTime()) / 1_000)
    : null
  return {
    state: !isOn ? 'off' : pauseSeconds > 0 ? 'paused' : 'on',
    pauseSeconds,
    lagSeconds,
    // Nobody waits for a source that is off.
    isLate: isOn && lagSeconds !== null && lagSeconds > settings.freshnessTargetSeconds,
    budgetLeft: isOn ? budgetLeft(settings, health, now) : '',
  }
}

/** Requests that its plan still gives in this day or month. */
export function quotaLeft(
  { requests, per }: NonNullable<SourceSettings['quota']>,
  health: SourceHealth | undefined,
): number {
  const used = (per === 'day' ? health?.requestsToday : health?.requestsThisMonth) ?? 0
  return Math.max(0, requests - used)
}

/** A whole burst and more is owed. */
function pauseOf({ burst, requestsPerSecond }: SourceSettings, health: SourceHealth, now: Date): number {
  const seconds = secondsAhead(health, now) - burst / requestsPerSecond
  return seconds > 2 ? seconds : 0
}

function budgetLeft(settings: SourceSettings, health: SourceHealth | undefined, now: Date): string {
  const { quota, requestsPerSecond, burst } = settings
  if (quota) return `${quotaLeft(quota, health)} of ${quota.requests} this ${quota.per}`
  const owed = health ? secondsAhead(health, now) * requestsPerSecond : 0
  const left = Math.min(burst, Math.max(0, Math.floor(burst - owed)))
  return `${left} of ${burst} now, ${requestsPerSecond} a second`
}

const secondsAhead = ({ nextRequestAt }: SourceHealth, now: Date) =>
  nextRequestAt === null ? 0 : Math.max(0, (nextRequestAt.getTime() - now.getTime()) / 1_000)

/** `off: set VARIABLE`, `paused for 60 s`, `on`. */
export function stateInWords({ missing }: SourceSettings, { state, pauseSeconds }: SourceState): string {
  if (state === 'off') return `off: set ${missing}`
  return state === 'paused' ? `paused for ${duration(pauseSeconds)}` : 'on'
}
