import { expect, test } from 'vitest'
import { scheduleFinding } from '../../cli/doctor/check-temporal.ts'
import { WAITS_FOR_FIRST_RUN } from '../../db/values/first-run.ts'

const WANTED = ['refresh-coins', 'refresh-news']
const judged = (...found: [string, { note: string | undefined } | null][]) =>
  scheduleFinding(WANTED, new Map(found))

test('a schedule that waits for its first run is no reason to resume it', () => {
  expect(judged(['refresh-coins', { note: WAITS_FOR_FIRST_RUN }], ['refresh-news', null])).toMatchObject({
    state: 'ok',
    detail: '2 exist, 1 wait for their first run',
  })
})

test('a schedule that the operator paused is named', () => {
  const finding = judged(['refresh-coins', { note: WAITS_FOR_FIRST_RUN }], ['refresh-news', { note: 'ours' }])
  expect(finding).toMatchObject({ state: 'warn', detail: 'paused: refresh-news' })
})

test('a missing schedule is a failure', () => {
  expect(judged(['refresh-news', null])).toMatchObject({ state: 'fail', detail: 'missing: refresh-coins' })
})
