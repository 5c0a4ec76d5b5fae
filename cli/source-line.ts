import type { SourceHealth } from '../db/sources/read.ts'
import type { SourceSettings } from '../db/sources/settings.ts'
import { quotaLeft, sourceState, stateInWords } from '../db/sources/source-state.ts'
import { duration } from '../db/values/duration.ts'

interface SourceFacts {
  settings: SourceSettings
  /** Absent: the source was never asked. */
  health: SourceHealth | undefined
  /** An operator has paused it. */
  isHeld?: boolean
  now: Date
}

/** Returns the state of one source as a row of a table. */
export function sourceLine(facts: SourceFacts): Record<string, string | number> {
  const { settings, health } = facts
  const state = sourceState(facts)
  const { lagSeconds, isLate } = state
  return {
    source: settings.name,
    area: settings.area,
    state: stateInWords(settings, state),
    'last success': health?.lastSuccessAt?.toISOString() ?? 'never',
    lag: lagSeconds === null ? '' : `${duration(lagSeconds)}${isLate ? ' LATE' : ''}`,
    target: settings.freshnessTargetSeconds === null ? '' : duration(settings.freshnessTargetSeconds),
    'errors 24 h': errorRate(health),
    'last failure': health?.lastFailure?.slice(0, 60) ?? '',
    quarantined: health?.quarantined ?? 0,
    'budget left': state.budgetLeft,
  }
}

function errorRate(health: SourceHealth | undefined): string {
  if (!health || health.requests24h === 0) return ''
  const { failures24h, requests24h } = health
  return `${failures24h} of ${requests24h} (${((100 * failures24h) / requests24h).toFixed(1)} %)`
}

/** The same for programs. */
export function sourceData(facts: SourceFacts) {
  const { settings, health } = facts
  const { state, isHeld, pauseSeconds, lagSeconds, isLate } = sourceState(facts)
  const { quota } = settings
  return {
    source: settings.name,
    area: settings.area,
    state,
    isHeld,
    pauseSeconds,
    /** the variable that turns it on; null: it is on */
    missing: settings.missing,
    lastSuccessAt: health?.lastSuccessAt ?? null,
    lagSeconds,
    isLate,
    freshnessTargetSeconds: settings.freshnessTargetSeconds,
    requests24h: health?.requests24h ?? 0,
    failures24h: health?.failures24h ?? 0,
    lastFailureAt: health?.lastFailureAt ?? null,
    lastFailure: health?.lastFailure ?? null,
    quarantined: health?.quarantined ?? 0,
    requestsPerSecond: settings.requestsPerSecond,
    burst: settings.burst,
    /** null: no limit of units is known */
    quota: quota && { ...quota, left: quotaLeft(quota, health) },
  }
}
