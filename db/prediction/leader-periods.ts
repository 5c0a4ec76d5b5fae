import type { Range } from '../values/periods.ts'

export const LEADER_PERIODS = ['24h', '1w', '1m', 'all'] as const satisfies readonly Range[]
export type LeaderPeriod = (typeof LEADER_PERIODS)[number]
