import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allow, compare, pathText } from '../../activities/drift/compare.ts'
import { accept, ENOUGH, IN_A_ROW, type Known, LEARNT, look } from '../../activities/drift/look.ts'
import { merge, shapeOf } from '../../activities/drift/shape.ts'
import { createClock } from '../upstreams/double.ts'
import { createKalshiMarket } from '../upstreams/kalshi-market.ts'
import { startKalshi } from '../upstreams/kalshi.ts'
import { createPolymarketMarket } from '../upstreams/polymarket-market.ts'
import { startPolymarketGamma } from '../upstreams/polymarket-gamma.ts'
import { stopLater } from '../upstreams/actors.ts'
import { anyShape, anyValue } from './any-shape.ts'

describe('comparing an answer with a shape', () => {
  test('an answer fits its own shape, and every shape that it is part of', () => {
    fc.assert(
      fc.property(anyValue, anyShape, (value, other) => {
        const own = shapeOf(value)
        expect(compare(own, own)).toEqual({ shape: own, differences: [] })
        const union = merge(own, other)
        expect(compare(union, own)).toEqual({ shape: union, differences: [] })
      }),
    )
  })

  test('what was allowed once is no difference any more, and nothing that fitted stops fitting', () => {
    fc.assert(
      fc.property(anyShape, anyShape, (known, answer) => {
        const { shape, differences } = compare(known, answer)
        const allowed = differences.reduce(allow, shape)
        expect(compare(allowed, answer).differences).toEqual([])
        expect(compare(allowed, known).differences).toEqual([])
      }),
    )
  })

  const row = { id: 'a', quotes: { USD: { price: 1, at: 'x' } }, tags: ['x'] }
  test.each<[string, unknown, string[]]>([
    ['a field that is gone', [{ ...row, id: undefined }], ['vanished [].id string']],
    ['a field that came', [{ ...row, rank: 1 }], ['appeared [].rank number']],
    ['another type', [{ ...row, id: 1 }], ['type [].id string number']],
    ['another type of elements', [{ ...row, tags: [{ name: 'x' }] }], ['type [].tags[] string object']],
    [
      'a field of the values of a map',
      [{ ...row, quotes: { EUR: { at: 'x' } } }],
      ['vanished [].quotes.*.price number'],
    ],
    ['only nulls', [{ ...row, id: null }], ['type [].id string null']],
    ['another answer', { rows: [row] }, ['type the whole answer array object']],
    ['nulls here and there', [row, { ...row, id: null }], []],
    ['a field missing here and there', [row, { ...row, id: undefined }], []],
    ['other ids', [{ ...row, quotes: { BTC: row.quotes.USD, EUR: row.quotes.USD } }], []],
    ['nothing', [], []],
  ])('finds %s', (_name, answer, expected) => {
    const { differences } = compare(shapeOf([row]), shapeOf(JSON.parse(JSON.stringify(answer))))
    const texts = differences.map(({ path, change, was, is }) =>
      [change, pathText(path), was, is].filter((one) => one !== null).join(' '),
    )
    expect(texts).toEqual(expected)
  })
})

describe('a change of answers', () => {
  const whole = { id: 'a', price: 1 }
  let at = 0
  function see(known: Known | null, ...answers: { value: unknown; fits?: boolean }[]): Known {
    return answers.reduce<Known | null>(
      (before, { value, fits = true }) =>
        look(before, { shape: shapeOf(value), fits, at: new Date(at++ * 60_000).toISOString() }).known,
      known,
    )!
  }
  const times = (n: number, value: unknown) => Array.from({ length: n }, () => ({ value }))
  const learnt = see(null, ...times(LEARNT, whole))
  const alarms = ({ changes }: Known) =>
    changes
      .filter(({ driftedAt }) => driftedAt !== null)
      .map(({ change, path }) => `${change} ${pathText(path)}`)

  test('is an alarm after five answers in a row', () => {
    const nearly = see(learnt, ...times(IN_A_ROW - 1, { id: 'a' }))
    expect([alarms(nearly), nearly.changes.length]).toEqual([[], 1])
    expect(alarms(see(nearly, { value: { id: 'a' } }))).toEqual(['vanished price'])
    expect(alarms(see(nearly, { value: whole }, ...times(IN_A_ROW - 1, { id: 'a' })))).toEqual([])
  })

  test('is an alarm at once if the adapter refused the answer', () => {
    expect(alarms(see(learnt, { value: { ...whole, price: 'one' }, fits: false }))).toEqual(['type price'])
  })

  test('ends when three answers did not have it', () => {
    const open = see(learnt, { value: { id: 'a' }, fits: false })
    expect(alarms(see(open, ...times(ENOUGH - 1, whole)))).toEqual(['vanished price'])
    const over = see(open, ...times(ENOUGH, whole))
    expect(over).toEqual(learnt)
  })

  test('is seen where a field was in some objects of each answer and is in none', () => {
    const some = { rows: [whole, { ...whole, rank: 1 }, whole] }
    const known = see(null, ...times(LEARNT, some))
    expect(see(known, ...times(9, { rows: [whole, { id: 'a', price: 1, rank: 2 }] })).changes).toEqual([])
    expect(alarms(see(known, ...times(IN_A_ROW, { rows: [whole] })))).toEqual(['vanished rows[].rank'])
  })

  test('is none of a field that is sometimes there: after three with and three without it is optional', () => {
    const sometimes = [...times(2, { ...whole, rank: 1 }), ...times(2, whole)]
    const optional = see(learnt, ...sometimes, ...sometimes)
    expect(optional.changes).toEqual([])
    expect(optional.shape.fields!['rank']).toMatchObject({ missing: 'everywhere' })
    expect(see(optional, ...times(9, whole), ...times(9, { ...whole, rank: 2 })).changes).toEqual([])
  })

  test('is not counted by answers without its place', () => {
    const list = see(null, ...times(LEARNT, { rows: [whole] }))
    const open = see(list, ...times(IN_A_ROW, { rows: [{ id: 'a' }] }), ...times(9, { rows: [] }))
    expect(alarms(open)).toEqual(['vanished rows[].price'])
  })

  test('is over when it is accepted, and either shape fits then', () => {
    const changed = { id: 1, price: 1, rank: { now: 1 } }
    const open = see(learnt, ...times(IN_A_ROW, changed))
    expect(alarms(open)).toEqual(['type id', 'appeared rank'])
    expect(see(accept(open), ...times(5, changed), ...times(5, whole)).changes).toEqual([])
  })

  test('is not learnt from what the adapter refused while the shape is being learnt', () => {
    expect(see(null, { value: { error: 'x' }, fits: false })).toBeNull()
    expect(see(null, { value: whole }, { value: 'x', fits: false }).learnt).toBe(1)
  })

  test('is seen among many others, of which a bounded number is kept', () => {
    const others = (from: number) =>
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field_${from + i}`, 1]))
    const flooded = [0, 40, 80, 120, 160, 200].map((from) => ({ value: { id: 'a', ...others(from) } }))
    const known = see(learnt, ...flooded)
    expect(known.changes).toHaveLength(30)
    expect(alarms(known)).toEqual(['vanished price'])
  })
})

describe('answers of strict doubles', () => {
  const clock = createClock()
  let known = null as Known | null

  /** Asks as often as said, and returns what became an alarm at any time. */
  async function ask(url: string, n: number): Promise<string[]> {
    const alarms = new Set<string>()
    for (let i = 0; i < n; i++) {
      clock.advance(60_000)
      const at = new Date(clock.now()).toISOString()
      const shape = shapeOf(await (await fetch(url)).json())
      known = look(known, { shape, fits: true, at }).known
      for (const { driftedAt, change, field } of known!.changes)
        if (driftedAt) alarms.add(`${change} ${field}`)
    }
    return [...alarms]
  }

  test('that leave out each field at random are no alarm', async () => {
    const newestAt = clock.now() / 1_000
    const markets = [createPolymarketMarket({ number: 1, rows: 3, newestAt })]
    const alarms: string[] = []
    known = null
    for (let seed = 1; seed <= 100; seed++) {
      const { url, stop } = await startPolymarketGamma({ clock, markets, seed })
      alarms.push(...(await ask(`${url}/events/keyset?closed=false`, 1)))
      await stop()
    }
    expect(alarms).toEqual([])
    expect(JSON.stringify(known!.shape).split('everywhere').length).toBeGreaterThan(10)
  })

  test('that lose a field which only some rows had are one', async () => {
    const newestAt = clock.now() / 1_000 - 60
    const market = createKalshiMarket({ number: 1, trades: 300, newestAt })
    const { apiUrl, state } = stopLater(await startKalshi({ clock, markets: [market] }))
    const url = `${apiUrl}/markets/trades?ticker=${market.ticker}&limit=100`
    known = null
    expect(await ask(url, 100)).toEqual([])
    state.sides = 'tomorrow'
    expect(await ask(url, IN_A_ROW)).toEqual(['vanished trades[].taker_side'])
  })
})
