import { hash } from 'node:crypto'
import {
  createRevisionsReader,
  readRevisions,
  revisionIn,
  type Revisions,
} from '../db/revisions/read-revisions.ts'
import type { ReadonlyDb } from '../db/schema.ts'
import { textOf } from './answer-text.ts'
import { type Kept, keptBytes, perDb } from './kept-bytes.ts'
import { createBatcher } from './metering/batcher.ts'
import type { Answer, Route, RouteContext, RouteInput } from './route.ts'

const MAX_WAITING = 5_000
const MINUTE_MS = 60_000

type Input = RouteInput<unknown, unknown, unknown>

/** An answer that all callers share, with its JSON as bytes. The version is that of its tables, and of the minute. */
interface Made extends Kept {
  more: Answer<unknown>
}

const states = perDb((db) => {
  const revisionsOf = createRevisionsReader()
  return {
    /** A read that began after the call, shared by all calls that waited for it. */
    revisions: createBatcher<null, Revisions>({
      async run(calls) {
        const revisions = revisionsOf(await readRevisions(db))
        return calls.map(() => revisions)
      },
      maxBatch: MAX_WAITING,
      maxWaiting: MAX_WAITING,
    }),
    flights: new Map<string, Promise<Made>>(),
  }
})

/**
 * Answers a route whose answers all callers share. It reads the revisions of the tables first, so what it keeps is
 * never older than the revision that it is kept under. Equal questions at one moment are computed once.
 */
export async function sharedAnswer(
  route: Route,
  input: Input,
  context: RouteContext,
): Promise<Answer<unknown>> {
  const { revisions, flights } = states(context.db)
  const kept = keptBytes(context.db)
  const { reads, byMinute } = route.shared!
  const revision = revisionIn(await revisions(null), reads)
  const now = byMinute ? endOfMinute(context.now()) : null
  const version = now ? `${revision} ${now.toISOString()}` : revision
  const key = `${route.path} ${JSON.stringify([input.path, input.query])}`
  const known = kept.get(key) as Made | undefined
  if (known?.version === version) return stamped(route, known, context)
  const flight = `${key} ${version}`
  const running = flights.get(flight)
  if (running) return stamped(route, await running, context)
  const making = make({
    route,
    input,
    version,
    context: { ...context, account: null, ...(now && { now: () => now }) },
  })
  flights.set(flight, making)
  try {
    const made = await making
    if (isRepeatable(made.more)) kept.set(key, made)
    return stamped(route, made, context)
  } finally {
    flights.delete(flight)
  }
}

/** The revision of some tables, from a read that began after the call. Another one: their rows may differ. */
export async function revisionOf(db: ReadonlyDb, reads: readonly string[]): Promise<string> {
  return revisionIn(await states(db).revisions(null), reads)
}

/** Handlers that depend on the clock take this for now, so that their answers hold for a minute. */
const endOfMinute = (now: Date) => new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS)

async function make(asked: {
  route: Route
  input: Input
  context: RouteContext
  version: string
}): Promise<Made> {
  const { route, input, context, version } = asked
  const answer = await route.handler(input, context)
  const bytes = Buffer.from(textOf(route.shared!.stamped ? withoutStamp(answer) : answer))
  return {
    version,
    more: { ...answer, body: null, etag: `W/"${hash('sha256', bytes, 'base64url')}"` },
    bytes,
  }
}

/** Only an answer that changes nothing and lacks nothing may stand for the next one. */
export const isRepeatable = ({
  commands = [],
  writes = [],
  failed = [],
  pending = [],
  stream,
  beforeSend,
}: Answer<unknown>) =>
  [commands, writes, failed, pending].every((list) => list.length === 0) && !stream && !beforeSend

const withoutStamp = (answer: Answer<unknown>): Answer<unknown> => {
  const { timestamp: _, ...body } = answer.body as { timestamp: string }
  return { ...answer, body }
}

/** The answer to one caller: with `timestamp`, if it has one, at its end. */
function stamped({ shared }: Route, { more: answer, bytes }: Made, { now }: RouteContext): Answer<unknown> {
  if (!shared!.stamped) return { ...answer, body: { bytes } }
  const end = Buffer.from(`,"timestamp":"${now().toISOString()}"}`)
  return { ...answer, body: { bytes: Buffer.concat([bytes.subarray(0, -1), end]) } }
}
