import type { Client } from '@temporalio/client'
import { RUN_ATTRIBUTES, type RunAttribute, type RunState } from '../../db/values/run-attributes.ts'
import { type FoundWorkflow, listWorkflows } from './failed-workflow.ts'

/** What runs are searched by; each that is given must hold. */
export type RunSearch = { [K in RunAttribute]?: string | undefined } & {
  state?: RunState | undefined
  limit: number
}

const STATES: Readonly<Record<RunState, string>> = {
  running: `ExecutionStatus = 'Running'`,
  failed: `ExecutionStatus IN ('Failed', 'TimedOut', 'Terminated', 'Canceled')`,
  completed: `ExecutionStatus IN ('Completed', 'ContinuedAsNew')`,
}
const SEARCHED = Object.keys(RUN_ATTRIBUTES) as RunAttribute[]

/** The runs of workflows that a search finds, newest first. */
export async function findRuns(client: Client, search: RunSearch): Promise<FoundWorkflow[]> {
  const by = SEARCHED.flatMap((of) => {
    const value = search[of]
    return value === undefined ? [] : [`${RUN_ATTRIBUTES[of].name} = '${quoted(value)}'`]
  })
  const all = search.state === undefined ? by : [...by, STATES[search.state]]
  try {
    return await listWorkflows(client, all.join(' AND '), search.limit)
  } catch (error) {
    if (isUnknownAttribute(error)) throw new NoAttributes(error)
    throw error
  }
}

/** The Temporal server has no such search attributes, because it lets no worker register any. */
export class NoAttributes extends Error {
  constructor(cause: unknown) {
    super(
      'Temporal cannot search by this: no worker has registered its search attributes. See "Search attributes" in docs/operator.md',
      { cause },
    )
    this.name = 'NoAttributes'
  }
}

/** No name, address or id has a quote or a backslash, so that nothing is found by them either. */
const quoted = (value: string): string => value.replaceAll(/['\\]/g, '?')

/** gRPC: INVALID_ARGUMENT. Temporal's client wraps some of its errors. */
function isUnknownAttribute(error: unknown): boolean {
  for (let one: unknown = error; one instanceof Error; one = one.cause)
    if ((one as Error & { code?: number }).code === 3) return true
  return false
}
