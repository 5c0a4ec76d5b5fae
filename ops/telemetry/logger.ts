import { type DestinationStream, type Logger, pino } from 'pino'
import { redaction } from './redaction.ts'
import type { Tracer } from './tracer.ts'

interface LoggerOptions {
  /** Name of the process: `api`, `gateway` or `worker`. */
  name: string
  level: string
  tracer: Tracer | null
  /** Returns further fields for the line that is being written. */
  context?: () => object
  /** Absent: standard output. */
  destination?: DestinationStream
}

/**
 * Creates the log of a process: one JSON object per line, with `time` (ms since 1970), `level`, `name`,
 * `msg`, `requestId` or `workflowId`, and the ids of the current trace if there is one.
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

/**
 * Logs only these fields of an error: other fields of database and client errors may contain the data that
 * was sent.
 */
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
