import type { Generated, GeneratedAlways } from 'kysely'

export interface SourceState {
  source: string
  next_request_at: Generated<Date>
  last_success_at: Date | null
  last_failure_at: Date | null
  last_failure: string | null
  consecutive_failures: Generated<number>
  paused_until: Generated<Date>
}

/** Requests to a source within an hour, retries included; `failures` are those without a usable answer. */
export interface SourceHour {
  source: string
  hour: Date
  requests: number
  failures: number
}

/** A source as the worker runs it. */
export interface Source {
  name: string
  area: string
  /** the variable that would switch it on; null: it is on */
  missing: string | null
  freshness_target_s: number
  requests_per_second: number
  burst: number
  /** requests that its free plan gives; null: no limit that counts here */
  quota: number | null
  quota_per: string | null
}

export interface QuarantinedRow {
  id: GeneratedAlways<string>
  source: string
  area: string
  reason: string
  payload: unknown
  fetched_at: Date
  /** what refused it, and its input, where that reads the same again; null: it goes on from where it ended */
  activity: string | null
  input: unknown
  /** asked: a retry has not ended; refused, failed: the last one has */
  retry_state: string | null
  retry_at: Date | null
  retry_failure: string | null
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

declare module '../schema.ts' {
  interface Database {
    source_states: SourceState
    source_hours: SourceHour
    sources: Source
    quarantine: QuarantinedRow
    outbox: OutboxMessage
  }
}
