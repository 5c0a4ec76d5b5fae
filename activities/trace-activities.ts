import type { ClientInterceptors } from '@temporalio/client'
import { defaultPayloadConverter, type Headers } from '@temporalio/common'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { formatTraceparent, parseTraceparent } from '../ops/telemetry/traceparent.ts'
import type { Tracer } from '../ops/telemetry/tracer.ts'

/** The Temporal header that carries a trace through workflows; workflows/carry-trace.ts passes it on. */
const HEADER = 'traceparent'

/** Adds workflows that a client starts within a span to its trace. */
export function traceStarts(tracer: Tracer): ClientInterceptors {
  const traced = <T extends { headers: Headers }>(input: T): T => {
    const current = tracer.current()
    if (!current) return input
    const header = defaultPayloadConverter.toPayload(formatTraceparent(current))
    return { ...input, headers: { ...input.headers, [HEADER]: header } }
  }
  return {
    workflow: [
      {
        start: (input, next) => next(traced(input)),
        signalWithStart: (input, next) => next(traced(input)),
      },
    ],
  }
}

/**
 * Creates a span for each attempt of an activity: in the trace that started its workflow, else in one trace
 * for all activities of the run.
 */
export const traceActivities =
  (tracer: Tracer): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      execute: ({ headers, ...input }, next) => {
        const header = headers[HEADER]
        const traceparent = header && defaultPayloadConverter.fromPayload<string>(header)
        const runId = info.workflowExecution?.runId
        return tracer.run(
          {
            name: `activity ${info.activityType}`,
            kind: 'consumer',
            parent: parseTraceparent(traceparent),
            ...(runId && { traceId: runId.replaceAll('-', '') }),
            attributes: {
              'temporal.workflow.type': info.workflowType ?? '',
              'temporal.run_id': runId ?? '',
              'temporal.attempt': info.attempt,
            },
          },
          () => next({ headers, ...input }),
        )
      },
    },
  })
