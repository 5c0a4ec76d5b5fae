import type { ActivityOptions } from '@temporalio/workflow'

/** A source that said no, or whose answer cannot be read, says the same the next time. */
const retry = {
  initialInterval: '1s',
  backoffCoefficient: 2,
  maximumInterval: '1m',
  maximumAttempts: 8,
  nonRetryableErrorTypes: ['SourceRejected'],
} as const satisfies ActivityOptions['retry']

/** One statement or one look-up. */
export const quickCall: ActivityOptions = { startToCloseTimeout: '1m', retry }

/** Some requests to rate limited sources, with the tries of the HTTP client inside. */
export const sourceCall: ActivityOptions = { startToCloseTimeout: '5m', heartbeatTimeout: '1m', retry }

/** Many requests and rows; goes on from its stored cursor when it is tried again. */
export const bulkLoad: ActivityOptions = { startToCloseTimeout: '20m', heartbeatTimeout: '1m', retry }

/** One snapshot of all tables, which is begun anew when it is tried again. */
export const wholeExport: ActivityOptions = { startToCloseTimeout: '6h', heartbeatTimeout: '1m', retry }
