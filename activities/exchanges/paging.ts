/** How an exchange gives a list out, page by page. Times in Unix milliseconds. */
export type Paging =
  | {
      kind: 'window'
      /** Most rows of a page. */
      page: number
      /** Widest stretch of time of one request; null: any. */
      windowMs: number | null
      /** How far back the exchange keeps the list; null: from `startMs` on. */
      historyMs: number | null
      startMs: number | null
      /** A page that is full holds the newest rows of its window, else the oldest. */
      fullPage: 'newest' | 'oldest'
      /** Read again at the next sync: rows that come late or change. */
      lookbackMs: number
    }
  | {
      kind: 'id'
      page: number
      /** What the first request names. */
      first: string
    }
  | { kind: 'offset'; page: number; lookbackMs: number }

/** Where the next page begins. `toMs`: end of the stretch that is being read; null: the next one begins. */
export type Position =
  | { kind: 'window'; fromMs: number; toMs: number | null; untilMs: number | null }
  | { kind: 'id'; fromId: string }
  | { kind: 'offset'; fromMs: number; toMs: number | null; offset: number }

export interface PageRequest {
  /** Symbol or account; absent where there is one list. */
  list?: string
  limit: number
  /** Inclusive. */
  sinceMs?: number
  /** Inclusive. */
  untilMs?: number
  fromId?: string
  offset?: number
}

/** What a page says about the list. */
export interface PageEnds {
  count: number
  firstMs: number | null
  lastMs: number | null
  lastId: string | null
}

/** No exchange is older. */
const EARLIEST_MS = Date.UTC(2011, 6, 1)

export const DAY_MS = 86_400_000

/** Start of a list that was never read. */
export function firstPosition(paging: Paging, targetMs: number): Position {
  switch (paging.kind) {
    case 'window':
      return {
        kind: 'window',
        fromMs: paging.historyMs === null ? (paging.startMs ?? EARLIEST_MS) : targetMs - paging.historyMs,
        toMs: null,
        untilMs: null,
      }
    case 'id':
      return { kind: 'id', fromId: paging.first }
    case 'offset':
      return { kind: 'offset', fromMs: EARLIEST_MS, toMs: null, offset: 0 }
  }
}

/** The request at a position; the list is wanted up to `targetMs`. */
export function requestOf(paging: Paging, position: Position, targetMs: number): PageRequest {
  const limit = paging.page
  switch (position.kind) {
    case 'window':
      return {
        limit,
        sinceMs: position.fromMs,
        untilMs: position.untilMs ?? windowEnd(paging, position, targetMs),
      }
    case 'id':
      return { limit, fromId: position.fromId }
    case 'offset':
      return {
        limit,
        sinceMs: position.fromMs,
        untilMs: position.toMs ?? targetMs,
        offset: position.offset,
      }
  }
}

/**
 * Where to go on after a page, and whether the list is read up to the target. Starts are inclusive, so that rows at a
 * boundary come twice and none is lost. Throws RangeError when a page cannot lead any further.
 */
export function nextPosition(input: {
  paging: Paging
  position: Position
  page: PageEnds
  targetMs: number
}): { position: Position; complete: boolean } {
  const { paging, position, page, targetMs } = input
  const full = page.count >= paging.page
  if (paging.kind === 'id' && position.kind === 'id') {
    const fromId = page.lastId ?? position.fromId
    if (full && fromId === position.fromId) throw new RangeError(`no way past id ${fromId}`)
    return { position: { kind: 'id', fromId }, complete: !full }
  }
  if (paging.kind === 'offset' && position.kind === 'offset') {
    // New rows shift the offsets: the end stays fixed until the stretch is read.
    const toMs = position.toMs ?? targetMs
    if (full)
      return { position: { ...position, toMs, offset: position.offset + page.count }, complete: false }
    const fromMs = Math.max(position.fromMs, toMs - paging.lookbackMs)
    return { position: { kind: 'offset', fromMs, toMs: null, offset: 0 }, complete: toMs >= targetMs }
  }
  if (paging.kind === 'window' && position.kind === 'window') {
    const toMs = windowEnd(paging, position, targetMs)
    const within = full ? insideWindow({ position, page, toMs, fullPage: paging.fullPage }) : null
    if (within) return { position: within, complete: false }
    if (toMs < targetMs)
      return { position: { kind: 'window', fromMs: toMs, toMs: null, untilMs: null }, complete: false }
    const fromMs = Math.max(position.fromMs, toMs - paging.lookbackMs)
    return { position: { kind: 'window', fromMs, toMs: null, untilMs: null }, complete: true }
  }
  throw new RangeError(`a position of kind ${position.kind} in a list paged by ${paging.kind}`)
}

function windowEnd(paging: Paging, position: Position & { kind: 'window' }, targetMs: number): number {
  if (position.toMs !== null) return position.toMs
  const windowMs = paging.kind === 'window' ? paging.windowMs : null
  return windowMs === null ? targetMs : Math.min(position.fromMs + windowMs, targetMs)
}

/** The rest of a window whose page was full; null: the page reached the start of the window. */
function insideWindow(input: {
  position: Position & { kind: 'window' }
  page: PageEnds
  toMs: number
  fullPage: 'newest' | 'oldest'
}): Position | null {
  const { position, page, toMs, fullPage } = input
  if (page.firstMs === null || page.lastMs === null) throw new RangeError('a full page without times')
  if (fullPage === 'oldest') {
    if (page.lastMs <= position.fromMs) throw new RangeError(`a whole page at ${position.fromMs}`)
    return { kind: 'window', fromMs: page.lastMs, toMs, untilMs: null }
  }
  if (page.firstMs <= position.fromMs) return null
  if (page.firstMs >= (position.untilMs ?? toMs)) throw new RangeError(`a whole page at ${page.firstMs}`)
  return { ...position, toMs, untilMs: page.firstMs }
}
