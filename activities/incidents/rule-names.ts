/** Rules that need no metrics of processes, by their names in ops/prometheus/alerts.yml and docs/runbooks.md. */
export const RULE_NAMES = [
  'NotReady',
  'SourceLate',
  'SourceErrors',
  'SourceQuotaLow',
  'SourceDrift',
  'RowsQuarantined',
  'SyncsLate',
  'SyncsFail',
  'BranchHeld',
  'WebhooksPaused',
  'OutboxStuck',
  'PaymentsOpen',
  'PaymentLost',
] as const

export type RuleName = (typeof RULE_NAMES)[number]
