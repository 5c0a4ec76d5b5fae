import { type Headers, type WorkflowInterceptorsFactory } from '@temporalio/workflow'

/** Same name as in activities/trace-activities.ts. */
const HEADER = 'traceparent'

/**
 * Passes the trace of a workflow on to the activities and workflows that it starts. A header does not affect
 * replay.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let carried: Headers = {}
  return {
    inbound: [
      {
        execute(input, next) {
          const header = input.headers[HEADER]
          if (header) carried = { [HEADER]: header }
          return next(input)
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next({ ...input, headers: { ...carried, ...input.headers } }),
        startChildWorkflowExecution: (input, next) =>
          next({ ...input, headers: { ...carried, ...input.headers } }),
        continueAsNew: (input, next) => next({ ...input, headers: { ...carried, ...input.headers } }),
      },
    ],
  }
}
