import type { Priority } from '@temporalio/common'
import {
  type RunAbout,
  type RunAttributePair,
  runAttributes,
  SOURCES_MEMO,
} from '../db/values/run-attributes.ts'
import { AREAS } from './all-areas.ts'
import type { AreaSpec, LoopSpec, ScheduleSpec, SourceWork } from './area.ts'
import type { KnownAttributes } from './run-attributes.ts'

/** Temporal gives the lower number first to a worker with a free place, of 1 to 5. */
const PRIORITIES: Readonly<Record<SourceWork, number>> = { waiting: 1, heads: 2, refresh: 3, history: 5 }

/** By what a run is found, and when its work comes. Activities and children have the priority of their workflow. */
export interface RunOptions {
  typedSearchAttributes?: RunAttributePair[]
  priority: Priority
  memo?: Record<string, unknown>
}

export interface Ordered {
  workflow: string
  input: unknown
  /** null: no account ordered it */
  accountId: string | null
}

/** Options of a run that a schedule starts. */
export function scheduledRun(schedule: ScheduleSpec, known: KnownAttributes): RunOptions {
  const { id, work = 'refresh' } = schedule
  const area = AREAS.find(({ schedules }) => schedules.some((one) => one.id === id))
  const sources = sourcesOf(schedule, area)
  return {
    ...found({ ...(area && { area: area.name }), source: sources }, known),
    priority: { priorityKey: PRIORITIES[work] },
    memo: { [SOURCES_MEMO]: sources },
  }
}

/** The sources that the runs of a schedule ask. */
const sourcesOf = ({ sources }: ScheduleSpec, area: AreaSpec | undefined): readonly string[] =>
  sources ?? area?.sources.map(({ name }) => name) ?? []

/** Options of a run that keeps a loop alive. */
export function loopRun({ workflow, networkId }: LoopSpec, known: KnownAttributes): RunOptions {
  const area = AREAS.find(({ loops = [] }) => loops.some((one) => one.workflow === workflow))
  const name = area?.name ?? (networkId === undefined ? undefined : 'chain')
  const about = {
    ...(name !== undefined && { area: name }),
    ...(networkId !== undefined && { network: networkId }),
  }
  return { ...found(about, known), priority: { priorityKey: PRIORITIES.heads } }
}

/** Options of a run that a request or an operator ordered. Accounts take turns where the server knows fairness. */
export function orderedRun({ workflow, input, accountId }: Ordered, known: KnownAttributes): RunOptions {
  const area = AREAS.find(({ orders = {} }) => Object.hasOwn(orders, workflow))
  const work = area?.orders?.[workflow] ?? 'refresh'
  const { address, networkId } = (workflow === 'syncWallet' ? input : {}) as Record<
    string,
    string | undefined
  >
  const about = {
    ...(area && { area: area.name }),
    ...(accountId !== null && { account: accountId }),
    ...(address !== undefined && { wallet: address }),
    ...(networkId !== undefined && { network: networkId }),
  }
  const priority = {
    priorityKey: PRIORITIES[work],
    ...(accountId !== null && { fairnessKey: accountId }),
  }
  return { ...found(about, known), priority }
}

function found(about: RunAbout, known: KnownAttributes): Pick<RunOptions, 'typedSearchAttributes'> {
  const typedSearchAttributes = runAttributes(about, known)
  return typedSearchAttributes.length > 0 ? { typedSearchAttributes } : {}
}
