import type { Generated, GeneratedAlways } from 'kysely'

export interface SourceState {
  source: string
  next_request_at: Generated<Date>
  last_success_at: Date | null
  last_failure_at: Date | null
  last_failure: string | null
  consecutive_failures: Generated<number>
}

/** Requests to a source within an hour, retries included; `failures` are those without a usable answer. */
export interface SourceHour {
  source: string
  hour: Date
  requests: number
  failures: number
}

export interface QuarantinedRow {
  id: GeneratedAlways<string>
  source: string
  area: string
  reason: string
  payload: unknown
  fetched_at: Date
}

/** Commands accepted by the API in the same transaction as their charge; the worker starts a workflow for each. */
export interface OutboxMessage {
  id: GeneratedAlways<string>
  workflow: string
  workflow_id: string
  input: unknown
  created_at: Generated<Date>
  dispatched_at: Date | null
  /** told to the workflow, also to one that runs already; null: a running one is what was asked for */
  signal: string | null
  /** W3C traceparent of what asked for it; null: tracing was off */
  traceparent: string | null
}

export interface SourcesTables {
  source_states: SourceState
  source_hours: SourceHour
  quarantine: QuarantinedRow
  outbox: OutboxMessage
}
