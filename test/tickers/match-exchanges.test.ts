import { describe, expect, test } from 'vitest'
import { matchExchanges } from '../../activities/tickers/match-exchanges.ts'
import { mergeExchanges, type SourcedExchange } from '../../activities/tickers/merge-exchanges.ts'

const known = (name: string, url: string | null = null) => ({ name, url })

describe('exchanges of two lists', () => {
  const namesOf = (first: ReturnType<typeof known>[], second: ReturnType<typeof known>[]) =>
    matchExchanges(first, second).map(([a, b]) => [a.name, b.name])

  test.each([
    ['the same name', known('Kraken'), known('kraken'), true],
    ['a name with what lists add', known('Bybit'), known('Bybit (Spot)'), true],
    [
      'the same site under another name',
      known('Coinbase', 'https://www.coinbase.com/'),
      known('GDAX', 'https://coinbase.com'),
      true,
    ],
    ['neither', known('Gate', 'https://gate.io'), known('Gemini', 'https://gemini.com'), false],
    ['no site on both sides', known('Alpha'), known('Beta'), false],
    ['an address that is none', known('Alpha', 'alpha'), known('Beta', 'alpha'), false],
  ])('are one by %s', (_what, a, b, same) => expect(namesOf([a], [b])).toHaveLength(same ? 1 : 0))

  test('that could be two are none: a wrong pair would mix their volumes', () => {
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
    ...{ source, upstreamId, name: upstreamId, icon: null, url: null },
    ...{ volume24hUsd: '10', volume7dUsd: null, volume30dUsd: null, ...values },
  })
  const merge = (first: SourcedExchange[], second: SourcedExchange[], stored: [string, string][] = []) =>
    mergeExchanges({ first, second, known: new Map(stored) })

  test('takes volumes from the first source and the logo from whichever has one', () => {
    const merged = merge(
      [row('p', 'okx', { name: 'OKX', volume24hUsd: '70' })],
      [row('g', 'okex', { name: 'OKX', volume24hUsd: '71', icon: 'logo' })],
    )
    expect(merged).toEqual([
      {
        ...{ exchangeId: 'okx', source: 'p', name: 'OKX', icon: 'logo', url: null },
        ...{ volume24hUsd: '70', volume7dUsd: null, volume30dUsd: null },
        bySource: [
          { source: 'p', upstreamId: 'okx', volume24hUsd: '70' },
          { source: 'g', upstreamId: 'okex', volume24hUsd: '71' },
        ],
      },
    ])
  })

  test('keeps the pairs and ids that are stored, whatever the names are now', () => {
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
    // One that only the second source had, and the first lists now.
    const later = merge([row('p', 'solo', { name: 'alone' })], [row('g', 'alone')], [['g alone', 'alone']])
    expect(later.map(({ exchangeId, bySource }) => [exchangeId, bySource.length])).toEqual([['alone', 2]])
  })

  test('gives two exchanges of one upstream id two ids', () => {
    const merged = merge([row('p', 'bit', { name: 'Bit One' })], [row('g', 'bit', { name: 'Bit Two' })])
    expect(merged.map(({ exchangeId }) => exchangeId)).toEqual(['bit', 'bit-2'])
  })
})
