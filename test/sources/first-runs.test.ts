import { expect, test } from 'vitest'
import { AREAS } from '../../activities/all-areas.ts'
import { exportSchedule } from '../../activities/export-schedule.ts'

const schedules = AREAS.flatMap((area) => area.schedules)

test('a first run comes after first runs that there are, and never after itself', () => {
  const after = new Map(schedules.map((schedule) => [schedule.id, schedule.after ?? []]))
  expect([...after.values()].flat().filter((id) => !after.has(id))).toEqual([])
  const isBefore = (id: string, other: string): boolean =>
    after.get(id)!.some((one) => one === other || isBefore(one, other))
  // With a circle this would end with the stack.
  expect(schedules.filter(({ id }) => isBefore(id, id))).toEqual([])
})

test('coins come before their listings, those before history, and that before what is converted with it', () => {
  const before = (id: string): string[] => {
    const direct = schedules.find((schedule) => schedule.id === id)!.after ?? []
    return [...direct, ...direct.flatMap(before)]
  }
  expect(before('refresh-coins')).toEqual([])
  expect(before('refresh-listings')).toEqual(['refresh-coins'])
  expect(before('backfill-prices')).toEqual(['refresh-listings', 'refresh-coins'])
  expect(before('refresh-tickers')).toContain('backfill-prices')
  expect(before('refresh-risks')).toContain('refresh-listings')
  expect(before('refresh-news')).toContain('refresh-coins')
})

test('ids of schedules are unique', () => {
  const ids = [...schedules, exportSchedule].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
