import { type DestinationStream, type Logger, pino } from 'pino'
import { redaction } from './redaction.ts'
import type { Tracer } from './tracer.ts'

interface LoggerOptions {
  /** Of the process: `api`, `gateway`, `worker`. */
  name: string
  level: string
  tracer: Tracer | null
  /** What else belongs into a line that is written now. */
  context?: () => object
  /** Absent: standard output. */
  destination?: DestinationStream
}

/**
 * The log of a process: one JSON object a line, with `time` (ms since 1970), `level`, `name`, `msg`, `requestId` or
 * `workflowId`, and the ids of the trace where there is one.
 */
export function createLogger({ name, level, tracer, context, destination }: LoggerOptions): Logger {
  const mixin = () => ({ ...traceIds(tracer), ...context?.() })
  return pino(
    {
      name,
      level,
      redact: redaction,
      serializers: { err: describeError, error: describeError },
      ...((tracer || context) && { mixin }),
    },
    destination ?? pino.destination(1),
  )
}

function traceIds(tracer: Tracer | null): object {
  const current = tracer?.current()
  return current ? { traceId: current.traceId, spanId: current.spanId } : {}
}

/** Of an error no more than this: the other fields of one from a database or a client may hold what was sent. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, code, cause } = error as Error & { code?: unknown }
  return {
    type: name,
    message,
    ...(code !== undefined && { code }),
    stack,
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}
