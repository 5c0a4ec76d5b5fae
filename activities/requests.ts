import type { Db } from '../db/schema.ts'
import type { ScheduleSpec, SourceWork } from './area.ts'
import type { SourcePlan } from './ingest-config.ts'

// What each area says about the requests that it makes, for the plan of sources.

/** What a source is asked for, again and again or once. */
export interface Asking {
  source: string
  /** what is read, in words */
  what: string
  work: SourceWork
  /** on an even day; where it is read once, in all */
  requests: number
  /** The same as the vendor counts. Absent: one a request. */
  units?: number
  /** How old the data is before it is read again; null: it is read once. */
  seconds: number | null
  /** How many wallets it is for, if each costs about the same. */
  items?: number
}

/** Names of what an area counts, in words, with how many there are. */
export type Counts<K extends string = string> = Readonly<Record<K, number>>

export interface PlanInput<K extends string> extends PlanSettings {
  counts: Counts<K>
}

export interface PlanSettings {
  /** null: the source is off */
  planOf: (source: string) => SourcePlan | null
  /** Whether the head of a network is followed, so that its wallets are not polled. */
  isFollowed: (networkId: string) => boolean
  /** The node that a network's wallets ask first, and what its vendor counts for a read of contracts; null: none. */
  nodeOf: (networkId: string) => { source: string; unitsOfCall: number } | null
  /** one of the area's */
  schedule: (id: string) => ScheduleSpec
}

/** What an area asks for, with what is stored; `db` of null: with what it assumes before it has a database. */
export type AreaRequests = (
  db: Db | null,
  settings: PlanSettings,
) => Promise<{ counts: Counts; askings: readonly Asking[] }>

export function countedRequests<K extends string>(area: {
  assumed: Counts<K>
  count: (db: Db) => Promise<Counts<K>>
  askings: (input: PlanInput<K>) => readonly Asking[]
}): AreaRequests {
  return async (db, settings) => {
    const counts = db ? await area.count(db) : area.assumed
    return { counts, askings: area.askings({ ...settings, counts }) }
  }
}

const DAY_SECONDS = 86_400

/** What is read in each interval. `each`: requests of one run. */
export const regular = ({
  each,
  seconds,
  work = 'refresh',
  ...asking
}: Pick<Asking, 'source' | 'what'> & { work?: SourceWork; each: number; seconds: number }): Asking => ({
  ...asking,
  work,
  seconds,
  requests: (each * DAY_SECONDS) / seconds,
})

/**
 * The interval in which each of `count` is read again, if that is due after `seconds` and a run each `everySeconds`
 * reads `perRun` of them.
 */
export const passSeconds = (of: {
  count: number
  perRun: number
  everySeconds: number
  seconds: number
}): number =>
  Math.max(
    pacedSeconds(of.everySeconds, of.seconds * 1_000),
    Math.ceil(of.count / of.perRun) * of.everySeconds,
  )

/** The interval of runs each `everySeconds` that wait until the last is `paceMs` old. */
export const pacedSeconds = (everySeconds: number, paceMs: number): number =>
  Math.ceil(paceMs / 1_000 / everySeconds) * everySeconds
