import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import type { Logger } from 'pino'
import { changeShape } from '../../db/sources/shapes.ts'
import type { Exchanged } from '../record-fixture.ts'
import { keptAnswer } from './kept-answer.ts'
import { type Known, look } from './look.ts'
import { operationOf } from './operation.ts'
import { type Shape, shapeOf } from './shape.ts'

/** An answer with a status of success. */
export interface Answered extends Exchanged {
  /** The adapter reads it: false if its schema refused it. */
  fits: boolean
}

/** Looks at the shape of some answers, and tells when it changes. */
export interface AnswerWatch {
  /** Returns at once and never throws: ingestion does not wait for it. */
  note: (answered: Answered) => void
  /** Resolves when what was noted is stored. */
  idle: () => Promise<void>
}

/** Of each operation one answer that fits and one that does not are looked at in this time, by each worker. */
const EVERY_MS = 60_000
/** Longer answers would hold up others while they are parsed. */
const MOST_CHARACTERS = 8 * 1024 * 1024
/** Characters of answers that wait to be looked at. Others are left out. */
const MOST_WAITING = 16 * 1024 * 1024
const MOST_TIMES = 5_000

export function watchAnswers(deps: {
  pool: pg.Pool
  now: () => Date
  log: Pick<Logger, 'warn'>
}): AnswerWatch {
  const { pool, now, log } = deps
  const nextMs = new Map<string, number>()
  let waiting = 0
  let last = Promise.resolve()

  function isDue(key: string): boolean {
    const nowMs = now().getTime()
    if (nowMs < (nextMs.get(key) ?? 0) || waiting > MOST_WAITING) return false
    if (nextMs.size >= MOST_TIMES) nextMs.clear()
    nextMs.set(key, nowMs + EVERY_MS)
    return true
  }

  async function store(answered: Answered, operation: string): Promise<void> {
    const { source } = answered.request
    const shape = shapeOfAnswer(answered)
    const seen = { shape, fits: answered.fits, at: now().toISOString() }
    let drifted: Known['changes'] = []
    await changeShape<Known>(pool, { source, operation }, (before) => {
      const { known, isNew } = look(before, seen)
      if (known === null || isDeepStrictEqual(known, before)) return null
      drifted = known.changes.filter(({ driftedAt }) => driftedAt === seen.at)
      return { known, ...(isNew && { answer: keptAnswer(answered) }) }
    })
    for (const { field, change, was, is } of drifted)
      log.warn({ source, operation, field, change, was, is }, 'the answers of a source have changed')
  }

  return {
    note(answered) {
      const { request, fits, answer } = answered
      const operation = operationOf(answered)
      if (operation === null || answer.text.length > MOST_CHARACTERS) return
      if (!isDue(`${request.source} ${operation} ${fits}`)) return
      waiting += answer.text.length
      last = last
        .then(() => store(answered, operation))
        .catch((error: unknown) => {
          log.warn(
            { source: request.source, reason: String(error) },
            'the shape of an answer was not looked at',
          )
        })
        .finally(() => (waiting -= answer.text.length))
    },
    idle: () => last,
  }
}

/** Numbers that a double cannot hold are numbers here, whatever the adapter makes of them. */
function shapeOfAnswer({ answer: { text, headers } }: Exchanged): Shape {
  try {
    return shapeOf(JSON.parse(text))
  } catch {
    return { kinds: [headers['content-type']?.split(';')[0]!.trim() || 'text'] }
  }
}
