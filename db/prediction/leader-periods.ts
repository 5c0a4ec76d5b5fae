/** Whole UTC days of a period, in addition to today; null: all days. */
export const LEADER_PERIODS = { '24h': 1, '1w': 7, '1m': 30, all: null } as const
export type LeaderPeriod = keyof typeof LEADER_PERIODS
export const LEADER_PERIOD_NAMES = ['24h', '1w', '1m', 'all'] as const satisfies readonly LeaderPeriod[]
