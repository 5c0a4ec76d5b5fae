import { type FigureState, readPortfolioStates, readWalletStates } from '../../db/pnl/figure-states.ts'
import { bytesOf, type HolderRows, withHolderRows } from '../../db/pnl/holders.ts'
import { createRevisionsReader, revisionIn } from '../../db/revisions/read-revisions.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { HOUR_MS } from '../../db/values/periods.ts'
import { textOf } from '../answer-text.ts'
import { type Kept, keptBytes, perDb } from '../kept-bytes.ts'
import { createBatcher } from '../metering/batcher.ts'
import type { Answer, FiguresBy, Route, RouteContext, RouteInput } from '../route.ts'
import { isRepeatable } from '../shared-answers.ts'
import { stamp, type Stamps, stampsIn } from './stamps.ts'

const MINUTE_MS = 60_000
const MAX_BATCH = 64
const MAX_WAITING = 5_000

type Input = RouteInput<unknown, unknown, unknown>

interface Made extends Kept {
  more: {
    answer: Answer<unknown>
    stamps: Stamps
    rows: KnownRows
  }
}

/** What was read of holders under a version of their state: a new price makes a new answer from the same rows. */
interface KnownRows {
  version: string
  read: HolderRows
}

const states = perDb((db) => {
  const batcherOf = <Holders>(read: (db: ReadonlyDb, asked: readonly Holders[]) => Promise<FigureState[]>) =>
    createBatcher<Asked<Holders>, FigureState>({
      run: (asked) => readEachOnce(asked, (different) => read(db, different)),
      maxBatch: MAX_BATCH,
      maxWaiting: MAX_WAITING,
    })
  return {
    ofPortfolios: batcherOf(readPortfolioStates),
    ofWallets: batcherOf(readWalletStates),
    revisionsOf: createRevisionsReader(),
    flights: new Map<string, Promise<Made>>(),
  }
})

interface Asked<Holders> {
  holders: Holders
  /** Equal for equal holders. */
  key: string
}

/** Results in the order of the questions; equal ones are asked once. */
async function readEachOnce<Holders, Found>(
  asked: readonly Asked<Holders>[],
  read: (different: readonly Holders[]) => Promise<Found[]>,
): Promise<Found[]> {
  const different = new Map(asked.map(({ key, holders }) => [key, holders]))
  const found = await read([...different.values()])
  const byKey = new Map([...different.keys()].map((key, index) => [key, found[index]!]))
  return asked.map(({ key }) => byKey.get(key)!)
}

/**
 * Answers a route with figures of portfolios or wallets. Who may see them is checked with each call. An answer is
 * kept until the rows change on which it rests, and to the end of the minute: its figures are those of that end. The
 * state of the rows is read first, so what is kept is never older than the state that it is kept under. An answer
 * that lacks data is made for each call.
 */
export async function figuresAnswer(
  route: Route,
  input: Input,
  context: RouteContext,
): Promise<Answer<unknown>> {
  const { holdersOf, reads, instants } = route.figures!
  const found = await holdersOf(input, context)
  if (!found) return route.handler(input, context)
  const { holders, question } = found
  const { ofPortfolios, ofWallets, revisionsOf, flights } = states(context.db)
  const asked = JSON.stringify(holders)
  const state = await ('portfolios' in holders
    ? ofPortfolios({ holders: holders.portfolios, key: asked })
    : ofWallets({ holders: holders.wallets, key: asked }))
  const asking = { ...context, ...found.context }
  if (state.version === null) return route.handler(input, asking)
  const now = context.now()
  const end = endOfMinute(now)
  const revision = revisionIn(revisionsOf(state.revisions), reads)
  const version = `${revision} ${state.version} ${end.getTime()} ${state.asOf === null}`
  const key = `${route.path} ${asked} ${JSON.stringify(question)}`
  const timesAt = (at: Date) => ({ asOf: state.asOf, instants: instants?.(input, at.getTime()) ?? [] })
  const serve = (made: Made) => served(made, { asOf: state.asOf, times: timesAt(now) })
  const kept = keptBytes(context.db)
  const known = kept.get(key) as Made | undefined
  if (known?.version === version) return serve(known)
  const flight = `${key} ${version}`
  const running = flights.get(flight)
  if (running) return serve(await running)
  const before = known?.more.rows
  const rows = before?.version === state.version ? before : { version: state.version, read: new Map() }
  const making = make({
    route,
    input,
    version,
    context: { ...asking, now: () => end },
    instants,
    rows,
  })
  flights.set(flight, making)
  try {
    const made = await making
    if (isRepeatable(made.more.answer)) kept.set(key, made)
    return serve(made)
  } finally {
    flights.delete(flight)
  }
}

async function make(asked: {
  route: Route
  input: Input
  context: RouteContext
  version: string
  instants: FiguresBy['instants']
  rows: KnownRows
}): Promise<Made> {
  const { route, input, context, version, instants, rows } = asked
  const { result: answer, used } = await withHolderRows(rows.read, () => route.handler(input, context))
  const bytes = Buffer.from(textOf(answer))
  const nowMs = context.now().getTime()
  const stamps = stampsIn(bytes, { asOf: answer.asOf, instants: instants?.(input, nowMs) ?? [] })
  return {
    version,
    bytes,
    more: { answer: { ...answer, body: null }, stamps, rows: { ...rows, read: used } },
    moreBytes: bytesOf(used),
  }
}

/** The answer to one call: with the times of its call and of its data. */
function served(
  { bytes, more: { answer, stamps } }: Made,
  { asOf, times }: { asOf: Date | null; times: Parameters<typeof stamp>[2] },
): Answer<unknown> {
  return { ...answer, asOf, body: { bytes: stamp(bytes, stamps, times) } }
}

/** The end of the minute, or the last millisecond of the hour, because a new hour has other prices. */
export function endOfMinute(now: Date): Date {
  const endMs = Math.ceil(now.getTime() / MINUTE_MS) * MINUTE_MS
  return new Date(endMs > now.getTime() && endMs % HOUR_MS === 0 ? endMs - 1 : endMs)
}
