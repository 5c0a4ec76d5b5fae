import { type Headers, type WorkflowInterceptorsFactory } from '@temporalio/workflow'

/** As activities/trace-activities.ts names it. */
const HEADER = 'traceparent'

/** Hands the trace that a workflow was started with on to what it starts. It is a header, and no part of what is decided. */
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
