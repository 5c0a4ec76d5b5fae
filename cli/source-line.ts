import type { SourceHealth } from '../db/sources/read.ts'
import type { SourceSettings } from '../db/sources/settings.ts'
import { sourceState, stateInWords } from '../db/sources/source-state.ts'
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
