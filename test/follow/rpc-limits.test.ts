import { expect, test } from 'vitest'
import { createBatchSize, createLogRange } from '../../activities/nodes/rpc-limits.ts'

/** The sizes of batches that are tried after a refusal of so many calls, with the number that it names. */
test.each<[what: string, calls: number, named: number | null, next: number]>([
  ['names a smaller number', 100, 20, 20],
  ['names none', 100, null, 3],
  ['names none, of few calls', 3, null, 1],
  ['names none, of four calls', 4, null, 3],
  ['names what was asked', 20, 20, 3],
  ['names more than was asked', 20, 50, 3],
])('a batch that a node refuses is smaller the next time, where the refusal %s', (_, calls, named, next) => {
  const size = createBatchSize()
  size.refused(calls, named)
  expect(size.calls()).toBe(next)
  // It was refused: no answer makes it larger again.
  size.answered(next, next)
  expect(size.calls()).toBe(next)
})

test('a batch is as large as what passed of the last one, and grows by a tenth after a whole one', () => {
  const size = createBatchSize()
  expect(size.calls()).toBe(100)
  size.answered(100, 100)
  expect(size.calls()).toBe(100)
  size.answered(40, 100)
  expect(size.calls()).toBe(40)
  // A smaller batch says nothing.
  size.answered(39, 39)
  expect(size.calls()).toBe(40)
  size.answered(40, 40)
  expect(size.calls()).toBe(44)
  size.answered(0, 44)
  expect(size.calls()).toBe(1)
})

/** A range of logs that a node of so many blocks is asked for, until it passes so often. */
function ranges(most: number, named: (asked: number) => number | null, passes = 12) {
  const range = createLogRange()
  const asked: number[] = []
  for (let passed = 0; passed < passes && asked.length < 60;) {
    const blocks = range.blocks()
    asked.push(blocks)
    if (blocks <= most) passed++
    if (blocks <= most) range.accepted(blocks)
    else range.refused(blocks, { kind: 'range', blocks: named(blocks) })
  }
  return asked
}

test('a range of logs doubles up to a hundred thousand blocks', () => {
  const asked = ranges(Infinity, () => null)
  expect(asked.slice(0, 3)).toEqual([125, 250, 500])
  expect(asked.at(-1)).toBe(100_000)
})

test('a range that a node names is kept, and without one it is found', () => {
  expect(ranges(1_000, () => 800).slice(3)).toEqual([1_000, 2_000, ...Array<number>(8).fill(800)])
  for (const most of [1, 2, 90, 999, 1_000, 1_001]) {
    const asked = ranges(most, () => null, 16)
    expect(asked.at(-1)).toBe(most)
    // Each refusal says more than the last one.
    const refused = asked.filter((one) => one > most)
    expect(refused).toEqual([...new Set(refused)].toSorted((a, b) => b - a))
  }
  // A number that is no smaller than the range says nothing.
  expect(ranges(100, (asked) => asked + 1, 16).at(-1)).toBe(100)
})

test('a node that takes less than before is asked for less, and a range that passed is not given up', () => {
  const range = createLogRange()
  range.accepted(125)
  range.accepted(60)
  expect(range.blocks()).toBe(250)
  range.refused(250, { kind: 'range', blocks: null })
  expect(range.blocks()).toBe(187)
  range.refused(100, { kind: 'range', blocks: null })
  expect(range.blocks()).toBe(50)
})

test('after an answer that was too big a range grows slowly', () => {
  const range = createLogRange()
  range.refused(125, { kind: 'result', blocks: 45 })
  expect(range.blocks()).toBe(45)
  range.accepted(44)
  expect(range.blocks()).toBe(45)
  range.accepted(45)
  expect(range.blocks()).toBe(50)
  range.refused(55, { kind: 'slow' })
  expect(range.blocks()).toBe(27)
  range.refused(1, { kind: 'slow' })
  expect(range.blocks()).toBe(1)
})
