import { afterEach, describe, expect, test } from 'vitest'
import { createClock, createRandom, shuffled, startDouble } from './double.ts'
import type { DoubleServer } from './double.ts'
import { createMeter } from './meter.ts'

describe('the meter of a double', () => {
  test('a sliding window forgets what is older than it', () => {
    const clock = createClock()
    const meter = createMeter(clock, [{ name: 'second', most: 2, span: 1_000 }])
    expect([meter.take('a'), meter.take('a'), meter.take('a')?.name]).toEqual([null, null, 'second'])
    expect(meter.take('b')).toBeNull()
    clock.advance(400)
    expect(meter.resetsIn('a', 1_000)).toBe(600)
    clock.advance(600)
    expect(meter.take('a')).toBeNull()
  })

  test('a day and a month end with the calendar, in UTC', () => {
    const clock = createClock(Date.UTC(2026, 10, 30, 23, 59))
    const meter = createMeter(clock, [
      { name: 'day', most: 10, span: 'day' },
      { name: 'month', most: 15, span: 'month' },
    ])
    expect(meter.take('a', 10)).toBeNull()
    expect(meter.broken('a')?.name).toBe('day')
    expect(meter.resetsIn('a', 'month')).toBe(60_000)
    clock.advance(60_000)
    expect(meter.take('a', 10)).toBeNull()
    expect(meter.spent('a', 'month')).toBe(10)
    clock.advance(86_400_000)
    expect(meter.take('a', 6)?.name).toBe('month')
  })

  test('counts what is refused only where it is told to', () => {
    const meter = createMeter(createClock(), [{ name: 'day', most: 1, span: 'day' }])
    meter.take('a')
    meter.take('a')
    expect(meter.spent('a', 'day')).toBe(1)
    meter.count('a')
    expect(meter.spent('a', 'day')).toBe(2)
  })
})

test('chance is the same for the same seed', () => {
  const order = (seed: number) => shuffled([1, 2, 3, 4, 5, 6, 7, 8], createRandom(seed))
  expect(order(7)).toEqual(order(7))
  expect(order(7)).not.toEqual(order(8))
  expect(order(7).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

describe('the server of a double', () => {
  let double: DoubleServer
  afterEach(() => double.stop())

  test('sends text byte for byte, holds an answer until the clock moves, cuts a connection', async () => {
    const clock = createClock()
    double = await startDouble(async ({ path }) => {
      if (path === '/cut') return null
      if (path === '/slow') await clock.wait(20_000)
      return { status: 429, headers: { 'retry-after': '1' }, body: '{ "error": "text" }' }
    })
    const answer = await fetch(`${double.url}/a?b=1`, { method: 'POST', body: 'sent' })
    expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([
      429,
      '1',
      '{ "error": "text" }',
    ])
    await expect(fetch(`${double.url}/cut`)).rejects.toThrow()
    const slow = fetch(`${double.url}/slow`)
    await expect.poll(() => double.asked.length).toBe(3)
    clock.advance(20_000)
    expect((await slow).status).toBe(429)
    expect(double.asked[0]).toMatchObject({ method: 'POST', path: '/a', body: 'sent', address: '127.0.0.1' })
    expect(double.asked[0]!.query.get('b')).toBe('1')
  })
})
