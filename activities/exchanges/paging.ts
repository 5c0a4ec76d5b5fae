/** Where a list begins and how it is read again. Times are in Unix milliseconds. */
interface Span {
  /** Maximum rows per page; Infinity: all rows of a window */
  page: number
  /** How far back the exchange keeps the list; null: from `startMs` on */
  historyMs: number | null
  startMs: number | null
  /** Time range that the next sync reads again, for rows that arrive late or change. */
  lookbackMs: number
}

/** How an exchange pages a list. */
export type Paging =
  | (Span & {
      kind: 'window'
      /** Longest time range of one request; null: any */
      windowMs: number | null
      /** Whether a full page holds the newest or the oldest rows of its window. */
      fullPage: 'newest' | 'oldest'
    })
  | (Span & {
      /** By number of rows from the newest row of a window. */
      kind: 'offset'
      windowMs: number | null
      /** False: the exchange takes no times; pages go back from the newest row of all. */
      isTimed: boolean
    })
  | {
      /** By id, oldest first. */
      kind: 'id'
      page: number
      /** Id in the first request. */
      first: string
    }
  /** By id from the newest row to older ones, without times. */
  | (Span & { kind: 'back' })

/** Start of the next page. `toMs`: end of the window being read; null: a window starts here */
export type Position =
  | { kind: 'window'; fromMs: number; toMs: number | null; untilMs: number | null }
  | { kind: 'offset'; fromMs: number; toMs: number | null; offset: number }
  | { kind: 'id'; fromId: string }
  | { kind: 'back'; fromMs: number; toMs: number | null; fromId: string | null }

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
  /** The least and the greatest id. */
  firstId: string | null
  lastId: string | null
}

/** Before the start of every exchange. */
const EARLIEST_MS = Date.UTC(2011, 6, 1)

export const DAY_MS = 86_400_000

/** The position from which a list is first read. */
export function firstPosition(paging: Paging, targetMs: number): Position {
  if (paging.kind === 'id') return { kind: 'id', fromId: paging.first }
  const fromMs = startOf(paging, targetMs)
  switch (paging.kind) {
    case 'window':
      return { kind: 'window', fromMs, toMs: null, untilMs: null }
    case 'offset':
      return { kind: 'offset', fromMs, toMs: null, offset: 0 }
    case 'back':
      return { kind: 'back', fromMs, toMs: null, fromId: null }
  }
}

const startOf = ({ historyMs, startMs }: Span, targetMs: number): number =>
  historyMs === null ? (startMs ?? EARLIEST_MS) : targetMs - historyMs

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
    case 'offset':
      return {
        limit,
        offset: position.offset,
        ...(paging.kind === 'offset' &&
          paging.isTimed && { sinceMs: position.fromMs, untilMs: windowEnd(paging, position, targetMs) }),
      }
    case 'id':
      return { limit, fromId: position.fromId }
    case 'back':
      return { limit, ...(position.fromId !== null && { fromId: position.fromId }) }
  }
}

interface Step {
  position: Position
  complete: boolean
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
}): Step {
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
    const toMs = windowEnd(paging, position, targetMs)
    if (full && (paging.isTimed || goesOn(page, position)))
      return { position: { ...position, toMs, offset: position.offset + page.count }, complete: false }
    return afterWindow({ paging, toMs, targetMs }, (fromMs) => ({
      kind: 'offset',
      fromMs,
      toMs: null,
      offset: 0,
    }))
  }
  if (paging.kind === 'back' && position.kind === 'back') {
    const toMs = position.toMs ?? targetMs
    if (full && goesOn(page, position)) {
      if (page.firstId === null || page.firstId === position.fromId)
        throw new RangeError(`a full page ends where it starts, at id ${page.firstId}`)
      return { position: { ...position, toMs, fromId: page.firstId }, complete: false }
    }
    return afterWindow({ paging, toMs, targetMs }, (fromMs) => ({
      kind: 'back',
      fromMs,
      toMs: null,
      fromId: null,
    }))
  }
  if (paging.kind === 'window' && position.kind === 'window') {
    const toMs = windowEnd(paging, position, targetMs)
    const within = full ? insideWindow({ position, page, toMs, fullPage: paging.fullPage }) : null
    if (within) return { position: within, complete: false }
    return afterWindow({ paging, toMs, targetMs }, (fromMs) => ({
      kind: 'window',
      fromMs,
      toMs: null,
      untilMs: null,
    }))
  }
  throw new RangeError(`a position of kind ${position.kind} in a list paged by ${paging.kind}`)
}

/** The start of the next window, or of the next sync once the target is reached. */
function afterWindow(
  input: { paging: Exclude<Paging, { kind: 'id' }>; toMs: number; targetMs: number },
  startingAt: (fromMs: number) => Position,
): Step {
  const { paging, toMs, targetMs } = input
  const complete = toMs >= targetMs
  const inWindows = paging.kind === 'window' || (paging.kind === 'offset' && paging.windowMs !== null)
  if (inWindows && !complete) return { position: startingAt(toMs), complete }
  // Not from the start of the window just read: the last window can be shorter than the time to look back.
  return { position: startingAt(Math.max(startOf(paging, targetMs), toMs - paging.lookbackMs)), complete }
}

/** Whether rows older than a page, which goes back from the newest row, are still to be read. */
function goesOn({ firstMs }: PageEnds, { fromMs }: { fromMs: number }): boolean {
  if (firstMs === null) throw new RangeError('a full page without times')
  return firstMs >= fromMs
}

function windowEnd(
  paging: Paging,
  position: Position & { toMs: number | null; fromMs: number },
  targetMs: number,
) {
  if (position.toMs !== null) return position.toMs
  const windowMs = paging.kind === 'window' || paging.kind === 'offset' ? paging.windowMs : null
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
