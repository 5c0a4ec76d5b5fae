import { AsyncResource } from 'node:async_hooks'
import type pg from 'pg'
import type { Span, Tracer } from '../ops/telemetry/tracer.ts'
import { type Connected, PatientPool } from './patient-pool.ts'
import { nameOfPrepared, PreparingClient } from './preparing-client.ts'

type Query = (...args: unknown[]) => unknown
type Callback = (error: unknown, result: unknown) => void

/** First word and first table of a statement, which never contain values. */
const VERB = /^[\s(]*(\w+)/
const TABLE = /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_][\w.]*)/i

/**
 * Client that creates a span for each statement inside a trace. The span shows the statement's name or a
 * summary, never its text or values.
 */
export function tracingClient(tracer: Tracer): typeof PreparingClient {
  return class TracingClient extends PreparingClient {
    override query(...args: unknown[]): never {
      const run = (all: unknown[]) => (super.query as Query).apply(this, all)
      // Statements outside of a trace, such as polling for work, get no span.
      if (!tracer.current()) return run(args) as never
      const [statement] = args
      const name = nameOf(statement)
      const span = tracer.start({
        name,
        kind: 'client',
        attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name },
      })
      const callback = args.at(-1)
      if (typeof callback === 'function')
        return run([...args.slice(0, -1), ending(span, callback as Callback)]) as never
      const result = run(args)
      if (result instanceof Promise)
        result.then(
          () => span.end(),
          (error: unknown) => span.end({ error }),
        )
      // A stream, such as COPY, is read or written later.
      else (result as NodeJS.EventEmitter).once?.('close', () => span.end())
      return result as never
    }
  }
}

const ending =
  (span: Span, callback: Callback): Callback =>
  (error, result) => {
    span.end(error ? { error } : {})
    callback(error, result)
  }

function nameOf(statement: unknown): string {
  const { name, text } = (typeof statement === 'string' ? { text: statement } : statement) as {
    name?: string
    text?: string
  }
  if (name) return name
  const prepared = nameOfPrepared(text)
  if (prepared) return prepared
  // Use only the text before the first literal.
  const [start = ''] = (text ?? '').split("'", 1)
  const verb = VERB.exec(start)?.[1] ?? 'statement'
  const table = TABLE.exec(start)?.[1]
  return table ? `${verb.toLowerCase()} ${table}` : verb.toLowerCase()
}

/**
 * Pool whose waiting callers continue in their own trace, not in that of the caller that releases a
 * connection.
 */
export class TracingPool extends PatientPool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    return callback ? super.connect(AsyncResource.bind(callback)) : super.connect()
  }
}
