import { AsyncLocalStorage } from 'node:async_hooks'
import { registerHooks } from 'node:module'
import { CancelledFailure } from '@temporalio/common'
import type { ActivityOptions } from '@temporalio/workflow'

// What workflows import of Temporal, for a simulated clock: workflows that are imported after `simulateWorkflows` use
// this module in its place.

export { ActivityFailure, ApplicationFailure, rootCause } from '@temporalio/common'

/** Has modules that are imported from now on get this module for Temporal's own. */
export function simulateWorkflows(): void {
  registerHooks({
    resolve: (name, context, next) => next(name === '@temporalio/workflow' ? import.meta.url : name, context),
  })
}

/** Runs what a workflow asks for. */
export interface WorkflowHost {
  activity: (name: string, input: unknown, options: ActivityOptions) => Promise<unknown>
  /** Throws if one with this id runs. */
  child: (workflow: string, options: ChildOptions) => Promise<unknown>
  sleep: (ms: number) => Promise<void>
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

export const sleep = (ms: number) => host().sleep(ms)
export const log = { warn: (message: string, fields: object) => host().warn(message, fields) }
export const ParentClosePolicy = { ABANDON: 'ABANDON' }
export const CancellationScope = { nonCancellable: (work: () => Promise<unknown>) => work() }
export const isCancellation = (error: unknown) => error instanceof CancelledFailure
export const workflowInfo = () => ({ continueAsNewSuggested: false })
export const defineSignal = (name: string) => name
export const setHandler = (): void => {}

/** Histories are not simulated, so none gets too long. */
export class ContinueAsNew extends Error {}
export function continueAsNew(): never {
  throw new Error('continueAsNew is not simulated')
}
