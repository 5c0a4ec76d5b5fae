import type { Generated, GeneratedAlways } from 'kysely'

export interface SourceState {
  source: string
  next_request_at: Generated<Date>
  last_success_at: Date | null
  last_failure_at: Date | null
  last_failure: string | null
  consecutive_failures: Generated<number>
  paused_until: Generated<Date>
  /** how old the newest data of its last answer with times was; null: its answers state no times */
  data_age_s: number | null
}

/** Requests to a source in one hour, including retries. `failures`: those without a usable answer. */
export interface SourceHour {
  source: string
  hour: Date
  requests: number
  failures: number
}

/** What all workers spent of an allowance on one day. */
export interface SourceUsageDay {
  /** whose allowance: a source, a vendor of nodes, or the host of a node */
  account: string
  source: string
  /** what the requests were for */
  work: string
  /** start of the UTC day */
  day: Date
  requests: string
  /** as the vendor counts them */
  units: string
}

/** Settings with which the worker runs a source. */
export interface Source {
  name: string
  area: string
  /** the variable that turns it on; null: it is on */
  missing: string | null
  /** null: it is asked when it is needed, and never late */
  freshness_target_s: number | null
  /** null: no limit is known */
  requests_per_second: number | null
  burst: number | null
  /** what its plan allows; null: no limit that matters here */
  quota: string | null
  quota_per: string | null
  /** what the vendor counts; null: there is no quota */
  unit: string | null
  /** whose allowance it shares with other sources; null: it has its own */
  account: string | null
}

/** What operators ordered of a source. null: as the worker is set. */
export interface SourceOrderRow {
  source: string
  is_paused: Generated<boolean>
  requests_per_second: number | null
  burst: number | null
  quota: string | null
  quota_per: 'day' | 'month' | null
}

/** What is known of the answers to one operation of a source: activities/drift/look.ts. */
export interface SourceShape {
  source: string
  /** its path with * for ids */
  operation: string
  shape: unknown
  learnt: number
  changes: unknown
  /** the newest answer with a change, as a recording; null: there was none */
  answer: unknown
  changed_at: Generated<Date>
}

export interface QuarantinedRow {
  id: GeneratedAlways<string>
  source: string
  area: string
  reason: string
  payload: unknown
  fetched_at: Date
  /**
   * the activity that quarantined it, if rerunning its input reads the same data; null: it continues from a
   * cursor
   */
  activity: string | null
  input: unknown
  /** asked: a retry runs; refused, failed: result of the last retry */
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
  /** sent to the workflow, even if it already runs; null: a running workflow fulfils the command */
  signal: string | null
  /** W3C traceparent of the request; null: tracing was off */
  traceparent: string | null
  /** the account that ordered it; null: an operator, the gateway, or a page that anybody may read */
  account_id: string | null
}

declare module '../schema.ts' {
  interface Database {
    source_states: SourceState
    source_hours: SourceHour
    source_usage: SourceUsageDay
    sources: Source
    source_orders: SourceOrderRow
    source_shapes: SourceShape
    quarantine: QuarantinedRow
    outbox: OutboxMessage
  }
}
