import { describe, expect, test } from 'vitest'
import { createPollTimes } from '../../activities/chain/follow/poll-times.ts'

/** Asks for the head for a day of a chain whose blocks reach the node late; returns the questions for a block. */
function questionsPerBlock({ blockMs, lagMs }: { blockMs: number; lagMs: (block: number) => number }) {
  const times = createPollTimes(blockMs)
  const blocks = 2_000
  let questions = 0
  let seen = 0
  let lateMs = 0
  for (let nowMs = 0; seen < blocks;) {
    questions++
    let newest = seen
    while ((newest + 1) * blockMs + lagMs(newest + 1) <= nowMs) newest++
    if (newest === seen) nowMs += times.afterMiss()
    else {
      lateMs += nowMs - (newest * blockMs + lagMs(newest))
      seen = newest
      nowMs += times.afterHit({ blockAtMs: newest * blockMs, nowMs })
    }
  }
  return { questions: questions / blocks, lateMs: lateMs / blocks }
}

describe('the questions for the head', () => {
  test.each([
    ['at once', 0],
    ['with a delay', 700],
    ['before their time, by the clock of this machine', -400],
  ])('are about 1.1 a block when blocks come %s', (_name, delayMs) => {
    const { questions, lateMs } = questionsPerBlock({ blockMs: 2_000, lagMs: () => delayMs })
    expect(questions).toBeGreaterThan(1)
    expect(questions).toBeLessThan(1.2)
    expect(lateMs).toBeLessThan(250)
  })

  test('stay few when a block is missing now and then', () => {
    const late = (block: number) => 300 + (block % 50 === 0 ? 12_000 : 0)
    const { questions } = questionsPerBlock({ blockMs: 12_000, lagMs: late })
    expect(questions).toBeLessThan(1.5)
  })

  test('come once a second where blocks are faster', () => {
    const times = createPollTimes(250)
    expect(times.afterHit({ blockAtMs: 0, nowMs: 0 })).toBe(1_000)
  })

  test('learn a tenth of a block from a late one, however often it was asked for, and forget a hundredth a hit', () => {
    const times = createPollTimes(2_000)
    const hit = () => times.afterHit({ blockAtMs: 0, nowMs: 0 })
    expect([times.afterMiss(), times.afterMiss(), hit()]).toEqual([200, 200, 2_180])
    expect([times.afterMiss(), hit(), hit()]).toEqual([200, 2_360, 2_340])
  })
})
