import { type ActivityOptions, workflowInfo } from '@temporalio/workflow'
import type { WorkflowDefinitionOptions } from '@temporalio/common'

/** SourceRejected (a refusal or an unreadable answer) would only repeat. */
const retry = {
  initialInterval: '1s',
  backoffCoefficient: 2,
  maximumInterval: '1m',
  maximumAttempts: 8,
  nonRetryableErrorTypes: ['SourceRejected'],
} as const satisfies ActivityOptions['retry']

/** One SQL statement or one look-up. */
export const quickCall: ActivityOptions = { startToCloseTimeout: '1m', retry }

/** A request that a client waits for: later it helps nobody, and the work goes on without it. */
export const firstLook: ActivityOptions = {
  startToCloseTimeout: '10s',
  scheduleToCloseTimeout: '30s',
  retry: { ...retry, maximumAttempts: 3 },
}

/** A few requests to rate-limited sources, including the retries of the HTTP client. */
export const sourceCall: ActivityOptions = { startToCloseTimeout: '5m', heartbeatTimeout: '1m', retry }

/** Many requests and rows. A retry continues from the stored cursor. */
export const bulkLoad: ActivityOptions = { startToCloseTimeout: '20m', heartbeatTimeout: '1m', retry }

/** For runs that come again soon: a source that is down must not delay the others for long. */
export const twice = (options: ActivityOptions): ActivityOptions => ({
  ...options,
  retry: { ...options.retry, maximumAttempts: 2 },
})

/**
 * A loop that ends by itself within an hour. A worker that stands still is replaced after 36 seconds, and failures are
 * retried without end. Its heartbeats are all that a followed network costs Temporal: two transactions in 29 seconds.
 */
export const hourLongLoop: ActivityOptions = {
  startToCloseTimeout: '70m',
  heartbeatTimeout: '36s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
}

/** One snapshot of all tables. A retry starts over. */
export const wholeExport: ActivityOptions = { startToCloseTimeout: '6h', heartbeatTimeout: '1m', retry }

/**
 * Of a workflow that never ends, where workers have versions: it goes on with the newest code. Else its first version
 * would be needed for ever. Where they have none, Temporal refuses each step of a workflow that says this.
 */
export const NEVER_ENDS = (): WorkflowDefinitionOptions =>
  workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'AUTO_UPGRADE' } : {}
