import type { AskDeps, Questions } from './source-questions.ts'
import type { AreaRequests } from './requests.ts'

/** Requests that a free plan allows per UTC day or calendar month. */
export interface SourceQuota {
  requests: number
  per: 'day' | 'month'
  /** The same in what the vendor counts, if that is not requests. */
  units?: string
}

/** An upstream that an area reads. */
export interface SourceSpec {
  /** Also the value of the `source` column in its rows. */
  name: string
  /**
   * File in the area's sources/ that reads it, when several sources share a format. Default: the name of the
   * source.
   */
  adapter?: string
  /** What it provides, as Markdown for docs/configuration.md. */
  meaning: string
  /** Markdown about its key, if that needs explaining. */
  keyMeaning?: string
  /** What is missing when it is off or does not answer, as Markdown for docs/live.md. */
  without: string
  /**
   * Its path in the sandbox simulator, and a key the simulator accepts. Absent: the source is off in the
   * sandbox.
   */
  sandbox?: { path: string; key?: string }
  /** Environment variable of the base URL, and the default. */
  urlVariable: string
  defaultUrl: string | null
  /** Absent: the source takes no key. */
  key?: {
    /** Environment variable of the key. */
    variable: string
    /** What is better with it, as Markdown for docs/live.md. */
    gives: string
    /** Page of the vendor where a key is made. */
    from: string
    /** Base URL with a key, if it is another one. */
    defaultUrl?: string
    /** How the URLs of paid plans begin. */
    paidUrl?: string
    /** Without it the source is off. */
    isRequired: boolean
    /** The value with which the worker makes keys for itself, and the rate of those keys. */
    instant?: { value: string; requestsPerSecond: number; burst: number }
  }
  /** Requests per second and burst size, shared by all workers. */
  requestsPerSecond: number
  burst: number
  /** The pace without a key, and its quota, if they are others. */
  keyless?: { requestsPerSecond: number; burst: number; quota?: SourceQuota }
  /** Absent: no published limit. */
  quota?: SourceQuota
  /**
   * Units of a call, by the last part of its path: set where its host is one of a vendor of nodes, whose allowance it
   * spends together with the nodes of the same account.
   */
  nodeCost?: (method: string) => number
  /** Its own target, if it is polled less often than the other sources of its area. */
  freshnessTargetSeconds?: number
}

/** What requests to a source are for, the most urgent first. Each may spend less of an allowance than the one before. */
export type SourceWork = 'waiting' | 'heads' | 'history' | 'refresh'

/** A workflow that Temporal starts on its own. Intervals in seconds. */
export interface ScheduleSpec {
  id: string
  workflow: string
  everySeconds: number
  /** Random delay of each start, so that schedules with the same interval do not start together. */
  jitterSeconds: number
  input: unknown
  /** What its runs are for, the most urgent first: Temporal starts their work in this order. Absent: refresh. */
  work?: SourceWork
  /** Sources that its runs ask. Absent: all of its area. */
  sources?: readonly string[]
  /**
   * Schedules whose first runs must end before its own starts, because it reads their data or lets them use
   * the machine first.
   */
  after?: readonly string[]
}

/** A workflow that keeps a loop alive. */
export interface LoopSpec {
  id: string
  workflow: string
  input?: object
  /** the network that it serves: a search attribute in Temporal */
  networkId?: string
}

/** The ingest side of one data area. Schedules, worker registration and status derive from it. */
export interface AreaSpec {
  name: string
  sources: readonly SourceSpec[]
  /** Loaded on demand, because adapters are a lot of code. Absent: its sources have no cheap test request. */
  questions?: () => Promise<(deps: AskDeps) => Questions>
  /** Loaded on demand. What its work asks sources for in a day. Absent: its work asks none. */
  requests?: () => Promise<AreaRequests>
  schedules: readonly ScheduleSpec[]
  /** Workflows that requests and operators order, by name, with what they are for. */
  orders?: Readonly<Record<string, SourceWork>>
  /** Workflows that never end, by id: each keeps one loop alive. Every worker starts those that do not run. */
  loops?: readonly LoopSpec[]
  tables: readonly string[]
  /**
   * Activities that read everything their input names on each run, so that one quarantined row can be retried
   * alone.
   */
  rereads?: readonly string[]
  /** What the requests of activities are for, by name. Absent: they refresh what may be older. */
  works?: Readonly<Record<string, SourceWork>>
  /** Age in seconds from which what its sources give counts as late. Absent: it has no sources. */
  freshnessTargetSeconds?: number
}
