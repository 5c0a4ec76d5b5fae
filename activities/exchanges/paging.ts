/** How an exchange pages a list. Times are in Unix milliseconds. */
export type Paging =
  | {
      kind: 'window'
      /** Maximum rows per page. */
      page: number
      /** Longest time range of one request; null: any */
      windowMs: number | null
      /** How far back the exchange keeps the list; null: from `startMs` on */
      historyMs: number | null
      startMs: number | null
      /** Whether a full page holds the newest or the oldest rows of its window. */
      fullPage: 'newest' | 'oldest'
      /** Time range that the next sync reads again, for rows that arrive late or change. */
      lookbackMs: number
    }
  | {
      kind: 'id'
      page: number
      /** Id in the first request. */
      first: string
    }
  | { kind: 'offset'; page: number; lookbackMs: number }

/** Start of the next page. `toMs`: end of the window being read; null: a window starts here */
export type Position =
  | { kind: 'window'; fromMs: number; toMs: number | null; untilMs: number | null }
  | { kind: 'id'; fromId: string }
  | { kind: 'offset'; fromMs: number; toMs: number | null; offset: number }

export interface PageRequest {
  /** Symbol or account; absent if there is only one list. */
  list?: string
  limit: number
  /** Inclusive. */
  sinceMs?: number
  /** Inclusive. */
  untilMs?: number
  fromId?: string
  offset?: number
}

/** Size and ends of a page. */
export interface PageEnds {
  count: number
  firstMs: number | null
  lastMs: number | null
  lastId: string | null
}

/** Before the start of every exchange. */
const EARLIEST_MS = Date.UTC(2011, 6, 1)

export const DAY_MS = 86_400_000

/** The position from which a list is first read. */
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

/** The request for the page at a position, up to `targetMs`. */
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
 * The position after a page, and whether the list is complete up to the target. Starts are inclusive: rows at
 * a boundary are read twice and none is lost. Throws RangeError when a page gives no way to continue.
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
    if (full && fromId === position.fromId)
      throw new RangeError(`a full page ends where it starts, at id ${fromId}`)
    return { position: { kind: 'id', fromId }, complete: !full }
  }
  if (paging.kind === 'offset' && position.kind === 'offset') {
    // New rows shift offsets, so the end stays fixed until the window is read.
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

/** The rest of a window after a full page; null: the page reached the start of the window */
function insideWindow(input: {
  position: Position & { kind: 'window' }
  page: PageEnds
  toMs: number
  fullPage: 'newest' | 'oldest'
}): Position | null {
  const { position, page, toMs, fullPage } = input
  if (page.firstMs === null || page.lastMs === null) throw new RangeError('a full page without times')
  if (fullPage === 'oldest') {
    if (page.lastMs <= position.fromMs)
      throw new RangeError(`a full page of rows at one instant, ${position.fromMs}`)
    return { kind: 'window', fromMs: page.lastMs, toMs, untilMs: null }
  }
  if (page.firstMs <= position.fromMs) return null
  if (page.firstMs >= (position.untilMs ?? toMs))
    throw new RangeError(`a full page of rows at one instant, ${page.firstMs}`)
  return { ...position, toMs, untilMs: page.firstMs }
}
