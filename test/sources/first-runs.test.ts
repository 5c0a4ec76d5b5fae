import { expect, test } from 'vitest'
import { AREAS } from '../../activities/all-areas.ts'
import { exportSchedule } from '../../activities/export-schedule.ts'

const schedules = AREAS.flatMap((area) => area.schedules)

test('every `after` names an existing schedule, without cycles', () => {
  const after = new Map(schedules.map((schedule) => [schedule.id, schedule.after ?? []]))
  expect([...after.values()].flat().filter((id) => !after.has(id))).toEqual([])
  const isBefore = (id: string, other: string): boolean =>
    after.get(id)!.some((one) => one === other || isBefore(one, other))
  // A cycle would overflow the stack here.
  expect(schedules.filter(({ id }) => isBefore(id, id))).toEqual([])
})

test('coins come before listings, listings before history, and history before data that is converted with it', () => {
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

test('schedule ids are unique', () => {
  const ids = [...schedules, exportSchedule].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
