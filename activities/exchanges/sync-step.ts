import type { Exchange } from 'ccxt'
import { readEverHeld } from '../../db/exchanges/balances.ts'
import { readCursors, type StreamCursor, storePage } from '../../db/exchanges/cursors.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import type { ActivityDeps } from '../deps.ts'
import { callExchange, SymbolGone } from './call-exchange.ts'
import type { OpenConnection } from './open-connection.ts'
import { DAY_MS, firstPosition, nextPosition, type Position, requestOf } from './paging.ts'
import type { StreamSpec, ExchangePage } from './exchange.ts'
import { streamsOf } from './streams.ts'

export interface SyncStepInput {
  connectionId: string
  /** Read the lists up to this instant. */
  targetMs: number
}

export interface SyncProgress {
  done: boolean
  pages: number
  changed: number
}

/** Pages per activity; the next activity continues from the stored cursors. */
const MAX_PAGES = 50
/** Symbols without fills are read again after this time. */
const PROBE_EVERY_MS = DAY_MS

type Cursor = StreamCursor<Position>

/** One list of one symbol that is behind the target. */
interface Task {
  stream: StreamSpec
  symbol: string
  position: Position
  /** What the cursor says; null: there is none. */
  stored: Position | null
}

/** Reads pages of the lists that are behind. Rows and cursor of a page commit together. */
export async function syncStep(
  deps: Pick<ActivityDeps, 'db' | 'pool' | 'now' | 'heartbeat'>,
  exchange: OpenConnection,
  input: SyncStepInput,
): Promise<SyncProgress> {
  const progress: SyncProgress = { done: false, pages: 0, changed: 0 }
  while (progress.pages < MAX_PAGES) {
    const tasks = await openTasks(deps, exchange, input)
    if (tasks.length === 0) return { ...progress, done: true }
    for (const task of tasks) {
      let next: Task | null = task
      while (next !== null && progress.pages < MAX_PAGES) {
        const page = await readPage(deps, exchange, next, input)
        progress.pages++
        progress.changed += page.changed
        next = page.next && { ...task, position: page.next, stored: page.next }
        deps.heartbeat()
      }
      if (progress.pages >= MAX_PAGES) break
    }
  }
  return progress
}

/** Reads and stores one page. `next`: the next position; null: end of the list */
async function readPage(
  deps: Pick<ActivityDeps, 'db' | 'pool' | 'now'>,
  exchange: OpenConnection,
  { stream, symbol, position, stored }: Task,
  { connectionId, targetMs }: SyncStepInput,
): Promise<{ next: Position | null; changed: number }> {
  const { paging } = stream
  const request = { ...requestOf(paging, position, targetMs), ...(symbol !== '' && { list: symbol }) }
  const fetchedAt = deps.now()
  const found = await callExchange(exchange, (client) => stream.read(client, request)).catch(
    (error: unknown) => {
      if (error instanceof SymbolGone && symbol !== '') return NOTHING
      throw error
    },
  )
  const next = await callExchange(exchange, async () =>
    nextPosition({ paging, position, page: found, targetMs }),
  )
  const { source } = exchange
  if (found.quarantined.length > 0)
    await quarantineRows(deps.db, { source, area: 'exchanges', quarantined: found.quarantined, fetchedAt })
  const { changed } = await storePage(deps.pool, {
    connectionId,
    source,
    fetchedAt,
    rows: found.rows,
    cursor: {
      stream: stream.name,
      symbol,
      position: next.position,
      completeAt: next.complete ? new Date(targetMs) : null,
    },
    before: stored,
  })
  return { next: next.complete ? null : next.position, changed }
}

const NOTHING: ExchangePage = {
  rows: [],
  quarantined: [],
  count: 0,
  firstMs: null,
  lastMs: null,
  firstId: null,
  lastId: null,
}

/**
 * Lists that are behind: first those without symbols, since their assets tell which symbols to read, then the
 * others. An exchange that requires a symbol cannot list where the account traded. So every market of an
 * asset that the account ever held is read; a market without fills is read once a day.
 */
async function openTasks(
  { pool }: Pick<ActivityDeps, 'pool'>,
  exchange: OpenConnection,
  { connectionId, targetMs }: SyncStepInput,
): Promise<Task[]> {
  const { spec, client } = exchange
  const cursors = new Map(
    (await readCursors<Position>(pool, connectionId)).map((cursor) => [keyOf(cursor), cursor]),
  )
  const behind = (stream: StreamSpec, symbol: string): Task[] => {
    const cursor = cursors.get(keyOf({ stream: stream.name, symbol }))
    if (cursor && !isBehind(cursor, stream, targetMs)) return []
    const stored = cursor?.position ?? null
    return [{ stream, symbol, stored, position: stored ?? firstPosition(stream.paging, targetMs) }]
  }
  const streams = streamsOf(spec, client)
  const single = streams.flatMap((stream) => (stream.lists === 'one' ? behind(stream, '') : []))
  if (single.length > 0) return single
  const tasks: Task[] = []
  for (const stream of streams) {
    if (stream.lists === 'one') continue
    const names =
      stream.lists === 'symbols'
        ? marketsOf(client, await readEverHeld(pool, connectionId))
        : await callExchange(exchange, stream.lists)
    tasks.push(...names.flatMap((name) => behind(stream, name)))
  }
  return tasks
}

function marketsOf({ markets }: Exchange, assets: readonly string[]): string[] {
  const held = new Set(assets)
  return Object.values(markets ?? {})
    .flatMap((market) =>
      market?.spot && (held.has(market.base) || held.has(market.quote)) ? [market.symbol] : [],
    )
    .sort((a, b) => (a < b ? -1 : 1))
}

function isBehind({ completeAt, rows }: Cursor, { lists }: StreamSpec, targetMs: number): boolean {
  if (completeAt === null) return true
  const patienceMs = lists === 'symbols' && rows === 0 ? PROBE_EVERY_MS : 0
  return completeAt.getTime() + patienceMs < targetMs
}

const keyOf = ({ stream, symbol }: { stream: string; symbol: string }) => `${stream} ${symbol}`
