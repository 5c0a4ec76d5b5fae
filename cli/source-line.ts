import type { AreaSpec, SourceSpec } from '../activities/area.ts'
import { limitOf, sourceOff } from '../activities/config.ts'
import type { SourceHealth } from '../db/sources/read.ts'

interface SourceFacts {
  area: AreaSpec
  spec: SourceSpec
  env: Record<string, string | undefined>
  /** Absent: it was never asked. */
  health: SourceHealth | undefined
  now: Date
}

/** What an operator wants to know of one source, as a line of a table. */
export function sourceLine({ area, spec, env, health, now }: SourceFacts): Record<string, string | number> {
  const missing = sourceOff(spec, env)
  const targetS = spec.freshnessTargetSeconds ?? area.freshnessTargetSeconds
  const pauseS = missing === null && health ? pauseSeconds({ spec, env, health, now }) : 0
  return {
    source: spec.name,
    area: area.name,
    state: missing !== null ? `off: set ${missing}` : pauseS > 0 ? `paused for ${duration(pauseS)}` : 'on',
    'last success': health?.lastSuccessAt?.toISOString() ?? 'never',
    // Nobody waits for a source that is off.
    lag: lagOf({ health, now, targetS: missing === null ? targetS : Infinity }),
    target: duration(targetS),
    'errors 24 h': errorRate(health),
    'last failure': health?.lastFailure?.slice(0, 60) ?? '',
    quarantined: health?.quarantined ?? 0,
    'budget left': missing === null ? budgetLeft({ spec, env, health, now }) : '',
  }
}

function lagOf({ health, now, targetS }: Pick<SourceFacts, 'health' | 'now'> & { targetS: number }): string {
  if (!health?.lastSuccessAt) return ''
  const lagS = Math.max(0, (now.getTime() - health.lastSuccessAt.getTime()) / 1_000)
  return `${duration(lagS)}${lagS > targetS ? ' LATE' : ''}`
}

function errorRate(health: SourceHealth | undefined): string {
  if (!health || health.requests24h === 0) return ''
  const { failures24h, requests24h } = health
  return `${failures24h} of ${requests24h} (${((100 * failures24h) / requests24h).toFixed(1)} %)`
}

/** A whole burst and more is owed: the source asked for a pause, or failed too often in a row. */
function pauseSeconds({ spec, env, health, now }: Omit<SourceFacts, 'area'> & { health: SourceHealth }) {
  const aheadS = secondsAhead(health, now) - burstSeconds(spec, env)
  return aheadS > 2 ? aheadS : 0
}

/** Of the free plan what is left of the day or month; else how many requests may go out at once. */
function budgetLeft({ spec, env, health, now }: Omit<SourceFacts, 'area'>): string {
  if (spec.quota && !env[spec.urlVariable]) {
    const { requests, per } = spec.quota
    const used = (per === 'day' ? health?.requestsToday : health?.requestsThisMonth) ?? 0
    return `${Math.max(0, requests - used)} of ${requests} this ${per}`
  }
  const { requestsPerSecond, burst } = limitOf(spec, env)
  const owed = health ? secondsAhead(health, now) * requestsPerSecond : 0
  const left = Math.min(burst, Math.max(0, Math.floor(burst - owed)))
  return `${left} of ${burst} now, ${requestsPerSecond} a second`
}

const secondsAhead = ({ nextRequestAt }: SourceHealth, now: Date) =>
  nextRequestAt === null ? 0 : Math.max(0, (nextRequestAt.getTime() - now.getTime()) / 1_000)

function burstSeconds(spec: SourceSpec, env: SourceFacts['env']): number {
  const { requestsPerSecond, burst } = limitOf(spec, env)
  return burst / requestsPerSecond
}

/** 42 s, 12 min, 3.5 h, 2.1 d. */
function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${+(seconds / 3_600).toFixed(1)} h` : `${+(seconds / 86_400).toFixed(1)} d`
}
