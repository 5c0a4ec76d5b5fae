import { AsyncLocalStorage } from 'node:async_hooks'
import { registerHooks } from 'node:module'
import { CancelledFailure, TypedSearchAttributes } from '@temporalio/common'
import type { ActivityOptions } from '@temporalio/workflow'

// What workflows import of Temporal, for a simulated clock: workflows that are imported after `simulateWorkflows` use
// this module in its place.

export { ActivityFailure, ApplicationFailure, rootCause } from '@temporalio/common'

/** Has workflows that are imported from now on get this module for Temporal's own. */
export function simulateWorkflows(): void {
  registerHooks({
    resolve(name, context, next) {
      // Temporal's worker, which a module may import as well, needs the real one.
      const isOurs = name === '@temporalio/workflow' && !context.parentURL?.includes('/node_modules/')
      return next(isOurs ? import.meta.url : name, context)
    },
  })
}

/** Runs what a workflow asks for. */
export interface WorkflowHost {
  activity: (name: string, input: unknown, options: ActivityOptions) => Promise<unknown>
  /** Throws if one with this id runs. */
  child: (workflow: string, options: ChildOptions) => Promise<unknown>
  sleep: (duration: number | string) => Promise<void>
  /** What the workflow warns of. */
  warn: (message: string, fields: object) => void
}

export interface ChildOptions {
  workflowId: string
  args?: readonly unknown[]
}

/** The host of the workflow that runs. */
export const workflowHost = new AsyncLocalStorage<WorkflowHost>()

function host(): WorkflowHost {
  const found = workflowHost.getStore()
  if (!found) throw new Error('no workflow runs here')
  return found
}

export const proxyActivities = (options: ActivityOptions) =>
  new Proxy({}, { get: (_, name) => (input: unknown) => host().activity(String(name), input, options) })

export const executeChild = (workflow: string, options: ChildOptions) => host().child(workflow, options)

export async function startChild(workflow: string, options: ChildOptions) {
  const ended = host().child(workflow, options)
  ended.catch(() => {})
  return { result: () => ended }
}

export const sleep = (duration: number | string) => host().sleep(duration)
export const log = { warn: (message: string, fields: object) => host().warn(message, fields) }
export const ParentClosePolicy = { ABANDON: 'ABANDON' }
export const CancellationScope = { nonCancellable: (work: () => Promise<unknown>) => work() }
export const isCancellation = (error: unknown) => error instanceof CancelledFailure
export const workflowInfo = () => ({
  continueAsNewSuggested: false,
  taskQueue: 'simulated',
  typedSearchAttributes: new TypedSearchAttributes(),
})
/** Runs that begin here have the newest code. */
export const patched = (): boolean => true
export const defineSignal = (name: string) => name
export const setHandler = (): void => {}

/** Ends a run, and asks for another one with these arguments. */
export class ContinueAsNew extends Error {
  readonly args: readonly unknown[]
  constructor(args: readonly unknown[]) {
    super('the workflow goes on in another run')
    this.args = args
  }
}
export function continueAsNew(...args: unknown[]): never {
  throw new ContinueAsNew(args)
}
