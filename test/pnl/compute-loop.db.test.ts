import type pg from 'pg'
import { pino } from 'pino'
import { beforeEach, expect, test, vi } from 'vitest'
import { computeLoop } from '../../activities/pnl/compute-loop.ts'
import { twoOfEach } from '../chain/two-of-each.ts'

// The loop with a clock that only its pauses move, and books that cannot be computed.

const SECOND = 1_000
const MINUTE = 60 * SECOND
const { db, ask } = await twoOfEach()
const books = (await ask<{ id: string }>('select id from books order by id')).map(({ id }) => id)
const pool = { connect: () => Promise.reject(new Error('no connection')) } as unknown as pg.Pool

beforeEach(async () => {
  await ask('truncate pl_states')
  await ask(
    `insert into pl_states (book_id, computed_to, dirty_from) select id, '2026-01-03', '2026-01-01' from books`,
  )
  await ask(`update network_follows set mode = 'blocks'`)
})
const change = (ids: readonly string[]) =>
  ask('update pl_states set legs_changed = true where book_id = any($1)', [ids])

/**
 * Runs the loop until a time, or until it ends by itself. Returns its pauses, and when it tried a book. `pauseMs`: what
 * a pause takes; absent: as long as the loop wants. `most`: it is to end after so many books.
 */
async function run({
  untilMs = Infinity,
  pauseMs,
  most = 100,
}: {
  untilMs?: number
  pauseMs?: number
  most?: number
}) {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const startMs = performance.now()
    const since = () => performance.now() - startMs
    const [pauses, tried]: [number[], number[]] = [[], []]
    const ending = new AbortController()
    const log = pino({ level: 'silent' })
    log.error = () => {
      tried.push(since())
      if (tried.length >= most) ending.abort()
    }
    await computeLoop({
      db,
      pool,
      log,
      now: () => new Date('2026-01-03T12:00:00Z'),
      ending: ending.signal,
      wait(ms) {
        pauses.push(ms)
        vi.advanceTimersByTime(pauseMs ?? ms)
        if (since() >= untilMs) ending.abort()
        return Promise.resolve()
      },
    })
    return { pauses, tried, tookMs: since() }
  } finally {
    vi.useRealTimers()
  }
}

test('without a changed book the loop looks every second', async () => {
  const { pauses, tried } = await run({ untilMs: 3 * SECOND })
  expect([pauses, tried]).toEqual([[1_000, 1_000, 1_000], []])
})

test('a book that fails is tried again after a minute, and for five seconds after it the loop looks more often', async () => {
  await change(books.slice(0, 1))
  const { pauses, tried } = await run({ untilMs: MINUTE + 6 * SECOND })
  expect(tried).toEqual([0, MINUTE])
  const often = Array.from({ length: 20 }, () => 250)
  expect(pauses).toEqual([...often, ...Array.from({ length: 55 }, () => 1_000), ...often, 1_000])
})

test('one that fails keeps no other from being tried', async () => {
  await change(books)
  const { tried } = await run({ untilMs: SECOND })
  expect(tried).toEqual(books.map(() => 0))
})

test('the loop ends after an hour', async () => {
  const { pauses, tookMs } = await run({ pauseMs: 20 * MINUTE })
  expect([pauses.length, tookMs]).toEqual([3, 60 * MINUTE])
})

test('a worker that ends finishes the book at hand and begins no other', async () => {
  await change(books)
  const { pauses, tried } = await run({ most: 1 })
  expect([pauses, tried]).toEqual([[], [0]])
})
