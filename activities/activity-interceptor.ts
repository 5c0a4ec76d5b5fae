import { ApplicationFailure, type Context } from '@temporalio/activity'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { SourceUnavailable } from './errors.ts'

const HEARTBEAT_MS = 10_000

/**
 * Around each activity: heartbeats while the process is alive (every request inside has a deadline of its own), and
 * hands Temporal the time at which a source wants to be asked again.
 */
export const activityInterceptor: ActivityInterceptorsFactory = (context: Context) => ({
  inbound: {
    async execute(input, next) {
      const timer = setInterval(() => context.heartbeat(), HEARTBEAT_MS)
      try {
        return await next(input)
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
