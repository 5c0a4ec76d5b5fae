import type { AskDeps, Questions } from './source-questions.ts'

/** A place data comes from. `off` names the variable that would switch it on. */
export interface SourceSpec {
  /** Also the value of the `source` column of the rows it gave. */
  name: string
  /** File in the area's sources/ that reads it, where several sources speak one format; else named like the source. */
  adapter?: string
  /** What it gives, in docs/configuration.md: Markdown. */
  meaning: string
  /** The same of its key, where that needs a word. */
  keyMeaning?: string
  /** Where the simulator of the sandbox stands in for it, and a key that it takes; absent: the source is off there. */
  sandbox?: { path: string; key?: string }
  /** Environment variable of the base URL, and its value where it is not set. */
  urlVariable: string
  defaultUrl: string | null
  /** Environment variable of the key; null: the source needs none. */
  keyVariable: string | null
  keyRequired: boolean
  /** Requests per second that all workers share, and how many may come at once. */
  requestsPerSecond: number
  burst: number
  /** Requests that its free plan gives in a UTC day or calendar month; absent: it names no limit. */
  quota?: { requests: number; per: 'day' | 'month' }
  /** Where it is asked less often than the other sources of its area: its own target. */
  freshnessTargetSeconds?: number
}

/** A workflow that Temporal starts on its own. Intervals in seconds. */
export interface ScheduleSpec {
  id: string
  workflow: string
  everySeconds: number
  /** Spread of the start, so that the schedules of one interval do not start at once. */
  jitterSeconds: number
  input: unknown
  /** Schedules whose first runs end before its own begins: what it reads of them, or what may take the machine first. */
  after?: readonly string[]
}

/** One data area on the ingest side. Schedules, worker registration and status derive from it. */
export interface AreaSpec {
  name: string
  sources: readonly SourceSpec[]
  /** Loaded when a source is asked: adapters are much code. Absent: its sources have no cheap question. */
  questions?: () => Promise<(deps: AskDeps) => Questions>
  schedules: readonly ScheduleSpec[]
  tables: readonly string[]
  /** Activities that read all that their input names each time they run: what they refuse can be retried by itself. */
  rereads?: readonly string[]
  /** Age in seconds from which its data counts as late. */
  freshnessTargetSeconds: number
}
