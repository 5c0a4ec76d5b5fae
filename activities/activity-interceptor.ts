import { ApplicationFailure, type Context } from '@temporalio/activity'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { ingestion } from '../db/sources/ingestion.ts'
import { AREAS } from './all-areas.ts'
import { SourceUnavailable } from './errors.ts'
import { sourceWork } from './source-allowances.ts'

const HEARTBEAT_MS = 10_000
const WORKS = new Map(AREAS.flatMap(({ works = {} }) => Object.entries(works)))
const REREADS = new Set(AREAS.flatMap((area) => area.rereads ?? []))

/**
 * Wraps each activity: sends heartbeats while the process is alive (each request inside has its own
 * deadline), passes the Retry-After of a source on to Temporal, says what its requests are for, and records which
 * activity and input quarantined a row.
 */
export const activityInterceptor: ActivityInterceptorsFactory = (context: Context) => ({
  inbound: {
    async execute(input, next) {
      const timer = setInterval(() => context.heartbeat(), HEARTBEAT_MS)
      try {
        const work = WORKS.get(context.info.activityType) ?? 'refresh'
        return await sourceWork.run(work, () => within(context, input.args[0], () => next(input)))
      } catch (error) {
        if (!(error instanceof SourceUnavailable) || error.retryAfterMs === null) throw error
        throw ApplicationFailure.create({
          type: error.name,
          message: error.message,
          nextRetryDelay: Math.max(1_000, Math.ceil(error.retryAfterMs)),
        })
      } finally {
        clearInterval(timer)
      }
    },
  },
})

function within<T>({ info }: Context, input: unknown, run: () => Promise<T>): Promise<T> {
  const { activityType: activity, workflowType } = info
  if (!REREADS.has(activity)) return run()
  return ingestion.run({ activity, input, isRetry: workflowType === 'retryQuarantined' }, run)
}
