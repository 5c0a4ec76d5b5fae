import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  firstPosition,
  nextPosition,
  type PageEnds,
  type PageRequest,
  type Paging,
  type Position,
  requestOf,
} from '../../activities/exchanges/paging.ts'

// Each kind of paging against such an exchange: no row is lost, for any times, page sizes and windows.

interface Row {
  id: number
  at: number
}
type SupportedExchange = (rows: readonly Row[], request: PageRequest) => Row[]

const inWindow = (rows: readonly Row[], { sinceMs = 0, untilMs = Infinity }: PageRequest) =>
  rows.filter(({ at }) => at >= sinceMs && at <= untilMs)

const newestFirst: SupportedExchange = (rows, request) =>
  inWindow(rows, request).slice(-request.limit).reverse()
const oldestFirst: SupportedExchange = (rows, request) => inWindow(rows, request).slice(0, request.limit)
const byId: SupportedExchange = (rows, { fromId = '0', limit }) =>
  rows.filter(({ id }) => id >= Number(fromId)).slice(0, limit)
const byOffset: SupportedExchange = (rows, request) =>
  inWindow(rows, request)
    .reverse()
    .slice(request.offset, request.offset! + request.limit)
const backById: SupportedExchange = (rows, { fromId, limit }) =>
  rows
    .filter(({ id }) => fromId === undefined || id <= Number(fromId))
    .reverse()
    .slice(0, limit)

/** Reads up to the target. Returns the ids seen, the last position and the number of requests. */
function readAll(input: {
  paging: Paging
  exchange: SupportedExchange
  rows: readonly Row[]
  targetMs: number
  from?: Position
}) {
  const { paging, exchange, rows, targetMs } = input
  const seen = new Set<number>()
  let position = input.from ?? firstPosition(paging, targetMs)
  for (let requests = 1; requests < 5_000; requests++) {
    const found = exchange(rows, requestOf(paging, position, targetMs))
    for (const { id } of found) seen.add(id)
    const times = found.map(({ at }) => at)
    const next = nextPosition({
      paging,
      position,
      targetMs,
      page: {
        count: found.length,
        firstMs: times.length > 0 ? Math.min(...times) : null,
        lastMs: times.length > 0 ? Math.max(...times) : null,
        firstId: found.length > 0 ? String(Math.min(...found.map(({ id }) => id))) : null,
        lastId: found.length > 0 ? String(Math.max(...found.map(({ id }) => id))) : null,
      },
    })
    position = next.position
    if (next.complete) return { seen: [...seen].sort((a, b) => a - b), position, requests }
  }
  throw new Error('no end')
}

const START = Date.UTC(2025, 0, 1)
const END = START + 100_000
/** Ordered rows; a page holds more than one instant can have, so each page leads on. */
const rowsOf = fc
  .array(fc.integer({ min: START, max: END }), { maxLength: 200 })
  .map((times) => [...times].sort((a, b) => a - b).filter((at, i, all) => all[i - 2] !== at))
  .map((times) => times.map((at, index) => ({ id: index + 1, at })))
const page = fc.integer({ min: 4, max: 50 })
const SPAN = { historyMs: null, startMs: START - 5, lookbackMs: 3_000 }
const windowMs = fc.oneof(fc.constant(null), fc.integer({ min: 500, max: 200_000 }))

const pagings: [string, SupportedExchange, (options: { page: number; windowMs: number | null }) => Paging][] =
  [
    ...(['newest', 'oldest'] as const).map((fullPage): (typeof pagings)[number] => [
      `by time, a full page holds the ${fullPage}`,
      fullPage === 'newest' ? newestFirst : oldestFirst,
      (options) => ({
        kind: 'window',
        historyMs: null,
        startMs: START - 5,
        fullPage,
        lookbackMs: 3_000,
        ...options,
      }),
    ]),
    ['by id', byId, (options) => ({ kind: 'id', page: options.page, first: '0' })],
    ['by offset', byOffset, (options) => ({ kind: 'offset', ...SPAN, ...options, isTimed: true })],
    [
      'by offset without times',
      byOffset,
      ({ page: size }) => ({ kind: 'offset', ...SPAN, page: size, windowMs: null, isTimed: false }),
    ],
    ['by id to older rows', backById, ({ page: size }) => ({ kind: 'back', ...SPAN, page: size })],
  ]

describe.each(pagings)('paging %s', (_name, exchange, pagingOf) => {
  test('reads every row, and later rows at the next sync', () => {
    fc.assert(
      fc.property(
        rowsOf,
        page,
        windowMs,
        fc.integer({ min: START, max: END }),
        (rows, size, width, cutMs) => {
          const paging = pagingOf({ page: size, windowMs: width })
          const early = rows.filter(({ at }) => at <= cutMs)
          const first = readAll({ paging, exchange, rows: early, targetMs: cutMs })
          expect(first.seen).toEqual(early.map(({ id }) => id))
          const second = readAll({ paging, exchange, rows, targetMs: END, from: first.position })
          const seen = new Set([...first.seen, ...second.seen])
          expect([...seen].sort((a, b) => a - b)).toEqual(rows.map(({ id }) => id))
        },
      ),
      { numRuns: 200 },
    )
  })

  test('a sync without new rows needs few requests', () => {
    const rows = Array.from({ length: 100 }, (_, i) => ({ id: i + 1, at: START + i * 1_000 }))
    const paging = pagingOf({ page: 10, windowMs: null })
    const { position } = readAll({ paging, exchange, rows, targetMs: END })
    expect(readAll({ paging, exchange, rows, targetMs: END, from: position }).requests).toBeLessThan(3)
  })
})

test('Y9 a full page at one instant is an error instead of an endless loop or a loss', () => {
  const rows = Array.from({ length: 10 }, (_, i) => ({ id: i, at: START + 50 }))
  for (const [fullPage, exchange] of [
    ['newest', newestFirst],
    ['oldest', oldestFirst],
  ] as const)
    expect(() =>
      readAll({
        paging: {
          kind: 'window',
          page: 5,
          windowMs: null,
          historyMs: null,
          startMs: START,
          fullPage,
          lookbackMs: 0,
        },
        exchange,
        rows,
        targetMs: END,
      }),
    ).toThrow('a full page of rows at one instant')
})

test('rows that arrive while offsets are read hide no other row', () => {
  const rows = Array.from({ length: 30 }, (_, i) => ({ id: i + 1, at: START + i * 10 }))
  let extra = 0
  const growing: SupportedExchange = (known, request) =>
    byOffset(
      [...known, ...Array.from({ length: ++extra }, (_, i) => ({ id: 1_000 + i, at: END - 5 + i }))],
      request,
    )
  const { seen } = readAll({
    paging: { kind: 'offset', ...SPAN, page: 7, windowMs: null, lookbackMs: 0, isTimed: true },
    exchange: growing,
    rows,
    targetMs: START + 500,
  })
  expect(seen).toEqual(rows.map(({ id }) => id))
})

test('a position of another kind of paging is refused, since it says nothing of where to go on', () => {
  const { historyMs, startMs, lookbackMs } = SPAN
  const kinds: Paging[] = [
    { kind: 'window', page: 5, windowMs: null, historyMs, startMs, lookbackMs, fullPage: 'newest' },
    { kind: 'offset', page: 5, windowMs: null, historyMs, startMs, lookbackMs, isTimed: true },
    { kind: 'id', page: 5, first: '0' },
    { kind: 'back', page: 5, historyMs, startMs, lookbackMs },
  ]
  const empty: PageEnds = { count: 0, firstMs: null, lastMs: null, firstId: null, lastId: null }
  for (const paging of kinds)
    for (const other of kinds) {
      const position = firstPosition(other, END)
      const next = () => nextPosition({ paging, position, page: empty, targetMs: END })
      if (paging === other) expect(next().complete).toBe(true)
      else expect(next).toThrow(`a position of kind ${other.kind} in a list paged by ${paging.kind}`)
    }
})

test('a list without windows that was begun for an earlier sync goes on with the time before its end', () => {
  const { historyMs, startMs, lookbackMs } = SPAN
  const toMs = END - 5_000
  const empty: PageEnds = { count: 0, firstMs: null, lastMs: null, firstId: null, lastId: null }
  const next = (paging: Paging, position: Position) =>
    nextPosition({ paging, position, page: empty, targetMs: END })
  const span = { page: 5, historyMs, startMs, lookbackMs }
  const goesOn = { complete: false, position: { fromMs: toMs - lookbackMs, toMs: null } }
  expect(next({ kind: 'back', ...span }, { kind: 'back', fromMs: START, toMs, fromId: null })).toMatchObject(
    goesOn,
  )
  const offset = { kind: 'offset', fromMs: START, toMs, offset: 0 } as const
  expect(next({ kind: 'offset', ...span, windowMs: null, isTimed: true }, offset)).toMatchObject(goesOn)
  // The next window begins where the last one ended.
  expect(next({ kind: 'offset', ...span, windowMs: 9_000, isTimed: true }, offset)).toMatchObject({
    complete: false,
    position: { fromMs: toMs, toMs: null },
  })
})
