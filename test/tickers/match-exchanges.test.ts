import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchExchanges } from '../../activities/tickers/match-exchanges.ts'
import { mergeExchanges, type SourcedExchange } from '../../activities/tickers/merge-exchanges.ts'

const known = (name: string, url: string | null = null) => ({ name, url })

describe('exchanges of two lists', () => {
  const namesOf = (first: ReturnType<typeof known>[], second: ReturnType<typeof known>[]) =>
    matchExchanges(first, second).map(([a, b]) => [a.name, b.name])

  test.each([
    ['the same name', known('Kraken'), known('kraken'), true],
    ['the same name with a word that lists add', known('Bybit'), known('Bybit (Spot)'), true],
    [
      'the same site under another name',
      known('Coinbase', 'https://www.coinbase.com/'),
      known('GDAX', 'https://coinbase.com'),
      true,
    ],
    ['neither name nor site', known('Gate', 'https://gate.io'), known('Gemini', 'https://gemini.com'), false],
    ['a missing site on both sides', known('Alpha'), known('Beta'), false],
    ['an invalid URL', known('Alpha', 'alpha'), known('Beta', 'alpha'), false],
  ])('are paired or not by %s', (_what, a, b, same) => expect(namesOf([a], [b])).toHaveLength(same ? 1 : 0))

  test('are not paired when ambiguous, since a wrong pair would mix their volumes', () => {
    const twins = [known('Bit', 'https://a.example'), known('BIT', 'https://b.example')]
    expect(namesOf(twins, [known('bit', 'https://c.example')])).toEqual([])
    expect(namesOf(twins, [known('bit', 'https://b.example')])).toEqual([['BIT', 'bit']])
  })
})

describe('merging', () => {
  const row = (
    source: string,
    upstreamId: string,
    values: Partial<SourcedExchange> = {},
  ): SourcedExchange => ({
    source,
    upstreamId,
    name: upstreamId,
    icon: null,
    url: null,
    volume24hUsd: '10',
    volume7dUsd: null,
    volume30dUsd: null,
    ...values,
  })
  const merge = (first: SourcedExchange[], second: SourcedExchange[], stored: [string, string][] = []) =>
    mergeExchanges({ first, second, known: new Map(stored) })

  test('takes volumes from the first source and the logo from the source that has one', () => {
    const merged = merge(
      [row('p', 'okx', { name: 'OKX', volume24hUsd: '70' })],
      [row('g', 'okex', { name: 'OKX', volume24hUsd: '71', icon: 'logo' })],
    )
    expect(merged).toEqual([
      {
        exchangeId: 'okx',
        source: 'p',
        name: 'OKX',
        icon: 'logo',
        url: null,
        volume24hUsd: '70',
        volume7dUsd: null,
        volume30dUsd: null,
        bySource: [
          { source: 'p', upstreamId: 'okx', volume24hUsd: '70' },
          { source: 'g', upstreamId: 'okex', volume24hUsd: '71' },
        ],
      },
    ])
  })

  test('keeps stored pairs and ids when names change', () => {
    const stored: [string, string][] = [
      ['p okx', 'okx'],
      ['g okex', 'okx'],
      ['g alone', 'alone'],
    ]
    const merged = merge(
      [row('p', 'okx', { name: 'Renamed' })],
      [row('g', 'okex'), row('g', 'alone')],
      stored,
    )
    expect(merged.map(({ exchangeId, bySource }) => [exchangeId, bySource.length])).toEqual([
      ['okx', 2],
      ['alone', 1],
    ])
    // An exchange that only the second source had, until the first lists it too.
    const later = merge([row('p', 'solo', { name: 'alone' })], [row('g', 'alone')], [['g alone', 'alone']])
    expect(later.map(({ exchangeId, bySource }) => [exchangeId, bySource.length])).toEqual([['alone', 2]])
  })

  test('gives two exchanges with the same upstream id different ids', () => {
    const merged = merge([row('p', 'bit', { name: 'Bit One' })], [row('g', 'bit', { name: 'Bit Two' })])
    expect(merged.map(({ exchangeId }) => exchangeId)).toEqual(['bit', 'bit-2'])
  })

  test('loses no exchange, invents none, and uses each id once, for any lists', () => {
    const list = (source: string) =>
      fc
        .uniqueArray(
          fc.tuple(
            fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
            fc.constantFrom('A', 'B', 'C', 'A spot'),
            fc.constantFrom(null, 'https://a.example', 'https://www.b.example/'),
          ),
          {
            selector: ([id]) => id,
          },
        )
        .map((rows) => rows.map(([id, name, url]) => row(source, id, { name, url })))
    const stored = fc
      .uniqueArray(
        fc.tuple(
          fc.constantFrom('p', 'g'),
          fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
          fc.constantFrom('a', 'b', 'x', 'y'),
        ),
        {
          selector: ([source, , exchangeId]) => `${source} ${exchangeId}`,
        },
      )
      .map(
        (rows) =>
          new Map<string, string>(rows.map(([source, id, exchangeId]) => [`${source} ${id}`, exchangeId])),
      )
    fc.assert(
      fc.property(list('p'), list('g'), stored, (first, second, known) => {
        const merged = mergeExchanges({ first, second, known })
        const keys = (rows: { source: string; upstreamId: string }[]) =>
          rows.map(({ source, upstreamId }) => `${source} ${upstreamId}`).sort()
        expect(keys(merged.flatMap(({ bySource }) => [...bySource]))).toEqual(keys([...first, ...second]))
        expect(new Set(merged.map(({ exchangeId }) => exchangeId)).size).toBe(merged.length)
        for (const { exchangeId, bySource } of merged)
          for (const { source, upstreamId } of bySource)
            expect(known.get(`${source} ${upstreamId}`) ?? exchangeId).toBe(exchangeId)
      }),
    )
  })
})
