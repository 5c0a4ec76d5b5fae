import { duration } from '../values/duration.ts'
import type { SourceHealth } from './read.ts'
import type { SourceSettings } from './settings.ts'

export interface SourceState {
  /**
   * `paused`: by an operator, the source asked for a pause, or it failed too often in a row. `failing`: no request of the last 24 hours
   * had a usable answer.
   */
  state: 'on' | 'paused' | 'failing' | 'off'
  pauseSeconds: number
  /** It is paused until an operator resumes it. */
  isHeld: boolean
  /** Age of the newest data that it gave: since its last success, and how old it was then. null: none. */
  lagSeconds: number | null
  /** Its data is older than its target, and its last request got no usable answer or old data. */
  isLate: boolean
  /**
   * What is left of the day or month of the plan; without a quota, requests that may go out at once.
   */
  budgetLeft: string
}

/** Derives the current state of a source. `health` is undefined before the first request. */
export function sourceState(options: {
  settings: SourceSettings
  health: SourceHealth | undefined
  isHeld?: boolean
  now: Date
}): SourceState {
  const { settings, health, now } = options
  const isOn = settings.missing === null
  const isHeld = isOn && options.isHeld === true
  const pauseSeconds = isOn && health ? pauseOf(settings, health, now) : 0
  const lagSeconds = health ? lagOf(health, now) : null
  return {
    state: !isOn
      ? 'off'
      : isHeld || pauseSeconds > 0
        ? 'paused'
        : health && onlyFails(health)
          ? 'failing'
          : 'on',
    pauseSeconds,
    isHeld,
    lagSeconds,
    // A source that is off is never late.
    isLate: isOn && health !== undefined && lagSeconds !== null && isLate({ settings, health, lagSeconds }),
    budgetLeft: isOn ? budgetLeft(settings, health, now) : '',
  }
}

/** Seconds since the last usable answer of a source, and how old its newest data was then. null: there was none. */
export function lagOf(
  { lastSuccessAt, dataAgeSeconds }: Pick<SourceHealth, 'lastSuccessAt' | 'dataAgeSeconds'>,
  now: Date,
): number | null {
  if (lastSuccessAt === null) return null
  return Math.max(0, (now.getTime() - lastSuccessAt.getTime()) / 1_000) + (dataAgeSeconds ?? 0)
}

/** A source that nobody needed for a while is not late. */
function isLate(of: { settings: SourceSettings; health: SourceHealth; lagSeconds: number }): boolean {
  const target = of.settings.freshnessTargetSeconds ?? Infinity
  return of.lagSeconds > target && (hasFailedLast(of.health) || (of.health.dataAgeSeconds ?? 0) > target)
}

/** Whether the last request got no usable answer. */
export const hasFailedLast = ({
  lastSuccessAt,
  lastFailureAt,
}: Pick<SourceHealth, 'lastSuccessAt' | 'lastFailureAt'>): boolean =>
  (lastFailureAt?.getTime() ?? -Infinity) > (lastSuccessAt?.getTime() ?? -Infinity)

const onlyFails = ({ requests24h, failures24h }: SourceHealth): boolean =>
  requests24h > 0 && failures24h >= requests24h

/** Units left in the current day or month of its plan. */
export function quotaLeft(
  { units, per }: NonNullable<SourceSettings['quota']>,
  health: SourceHealth | undefined,
): number {
  const spent = (per === 'day' ? health?.spentToday : health?.spentThisMonth) ?? 0
  return Math.max(0, units - spent)
}

/** Seconds until requests may go out again. It is a pause only if more than a whole burst is used up. */
function pauseOf({ burst, requestsPerSecond }: SourceSettings, health: SourceHealth, now: Date): number {
  if (burst === null || requestsPerSecond === null) return 0
  const seconds = secondsAhead(health, now) - burst / requestsPerSecond
  return seconds > 2 ? seconds : 0
}

function budgetLeft(settings: SourceSettings, health: SourceHealth | undefined, now: Date): string {
  const { quota, requestsPerSecond, burst } = settings
  if (quota) {
    const unit = quota.unit === 'requests' ? '' : ` ${quota.unit}`
    return `${quotaLeft(quota, health)} of ${quota.units}${unit} this ${quota.per}`
  }
  if (burst === null || requestsPerSecond === null) return 'no limit known'
  const owed = health ? secondsAhead(health, now) * requestsPerSecond : 0
  const left = Math.min(burst, Math.max(0, Math.floor(burst - owed)))
  return `${left} of ${burst} now, ${requestsPerSecond} a second`
}

const secondsAhead = ({ nextRequestAt }: SourceHealth, now: Date) =>
  nextRequestAt === null ? 0 : Math.max(0, (nextRequestAt.getTime() - now.getTime()) / 1_000)

/** Returns `off: set VARIABLE`, `paused by an operator`, `paused for 60 s`, `failing` or `on`. */
export function stateInWords(
  { missing }: SourceSettings,
  { state, pauseSeconds, isHeld }: SourceState,
): string {
  if (state === 'off') return `off: set ${missing}`
  if (isHeld) return 'paused by an operator'
  return state === 'paused' ? `paused for ${duration(pauseSeconds)}` : state
}
