import { describe, expect, test } from 'vitest'
import { analyse } from '../../activities/news/analyse.ts'
import { findCoins } from '../../activities/news/coins/find-coins.ts'
import { createVocabulary } from '../../activities/news/coins/vocabulary.ts'
import { scoreSentiment } from '../../activities/news/sentiment/score-sentiment.ts'
import { rankTrending } from '../../activities/news/trending.ts'
import { measure, readHeadlines } from '../bench/news-coins/measure.ts'

describe('measured on labelled headlines', () => {
  const headlines = readHeadlines()
  const part = (name: string) =>
    measure(
      name,
      headlines.filter((headline) => headline.part === name),
    )

  test('has at least 200 headlines without duplicates', () => {
    expect(headlines.length).toBeGreaterThanOrEqual(200)
    expect(new Set(headlines.map(({ title }) => title)).size).toBe(headlines.length)
  })

  // Exact, so that every change of a rule shows. A better rule makes the list shorter.
  test.each([
    ['tuned', ["Coinbase's Base network hits record transactions", 'Nano Labs buys $50 million of BNB']],
    [
      'held',
      [
        'Space firm plans to mine bitcoin near Jupiter by 2050',
        'Pol says crypto bill will not pass this year',
        "Quant's Overledger picked by UK banks",
        'Helium mobile adds 100,000 subscribers',
      ],
    ],
    [
      'fresh',
      [
        'Vitalik Buterin proposes simpler gas model',
        'ONE Championship signs crypto sponsor',
        'Flow traders report quieter quarter',
        'Immutable ledger, mutable laws: courts wrestle with code',
        'Pepe clone rugs within the hour',
      ],
    ],
    ['named', []],
    ['real', []],
  ])('finds the coins of all headlines of the %s part but %j', (name, wrong) => {
    expect(part(name).wrongCoins.map(({ title }) => title)).toEqual(wrong)
  })

  test.each([
    ['tuned', { wrong: 27, tonePrecision: 63 / 81, toneRecall: 63 / 77 }],
    ['held', { wrong: 24, tonePrecision: 68 / 85, toneRecall: 68 / 78 }],
    ['fresh', { wrong: 20, tonePrecision: 30 / 38, toneRecall: 30 / 45 }],
  ])('finds the tone of the headlines of the %s part but %j', (name, { wrong, ...shares }) => {
    const measured = part(name)
    expect(measured.wrongTones).toHaveLength(wrong)
    expect(measured).toMatchObject(shares)
  })
})

describe('coins in a text', () => {
  const coin = (id: string, symbol: string, name: string, rank: number | null) => ({ id, symbol, name, rank })
  const vocabulary = createVocabulary([
    coin('bitcoin', 'BTC', 'Bitcoin', 1),
    coin('solana', 'SOL', 'Solana', 5),
    coin('near', 'NEAR', 'NEAR Protocol', 30),
    coin('uni-a', 'UNI', 'Uniswap', 20),
    coin('uni-b', 'UNI', 'Universe Coin', 400),
    coin('obscure', 'OBS', 'Observer', 900),
    coin('nowhere', 'NWH', 'Nowhere', null),
    coin('optimism', 'OP', 'Optimism', 40),
  ])
  test.each([
    ['A symbol that two coins share is the better ranked: UNI jumps', ['uni-a']],
    ['Universe Coin holders sell UNI', ['uni-b']],
    ['$NEAR and $SOL to the moon', ['near', 'solana']],
    ['Price of $1B and $10M deals', []],
    ['Observer says prices may fall', []],
    ['The Observer token OBS is listed', ['obscure']],
    ['Nowhere to go for bears', []],
    ['BITCOIN NEAR RECORD HIGH AGAIN', ['bitcoin']],
    ['A new Universe coin appears', []],
    ['Optimism remains while holders wait', []],
    ['Holders of OP wait', []],
    // A name and a symbol of one coin are evidence for each other.
    ['Optimism remains while holders of OP wait', ['optimism']],
    ['', []],
    ['...', []],
  ])('finds the coins of "%s"', (text, expected) => expect(findCoins(text, vocabulary)).toEqual(expected))

  test('uses the summary when the title names no coin', () => {
    const article = { title: 'Prices rise again', summary: 'Bitcoin leads' }
    expect(analyse(article, vocabulary).coinIds).toEqual(['bitcoin'])
    expect(analyse({ ...article, title: 'Solana rises' }, vocabulary).coinIds).toEqual(['solana'])
  })

  test('the version changes with the coins but not with their ranks', () => {
    const [a, b] = [coin('bitcoin', 'BTC', 'Bitcoin', 1), coin('solana', 'SOL', 'Solana', 2)]
    const { version } = createVocabulary([a, b])
    expect(
      createVocabulary([
        { ...b, rank: 1 },
        { ...a, rank: 2 },
      ]).version,
    ).toBe(version)
    expect(createVocabulary([a]).version).not.toBe(version)
    expect(createVocabulary([a, { ...b, name: 'Solana 2' }]).version).not.toBe(version)
  })
})

test('the tone considers direction, negation and falling burdens', () => {
  const tone = (title: string) => scoreSentiment({ title, summary: null }).sentiment
  expect(tone('Bitcoin soars to record high')).toBe('bullish')
  expect(tone('Exchange hacked, millions stolen')).toBe('bearish')
  expect(tone('Company denies hack')).not.toBe('bearish')
  expect(tone('A day in Zurich')).toBe('neutral')
  const both = (title: string, summary: string) => scoreSentiment({ title, summary }).sentiment
  expect(both('A day in Zurich', 'Bitcoin soars')).toBe('bullish')
  // The title counts more.
  expect(both('Bitcoin falls', 'Bitcoin rises')).toBe('bearish')
  expect(tone('Fees fall')).toBe('bullish')
  expect(tone('No fees fall')).toBe('bearish')
  expect(Math.abs(scoreSentiment({ title: 'crash '.repeat(900), summary: null }).score)).toBeLessThanOrEqual(
    1,
  )
})

test('trending ranks sudden subjects of several sources above usual ones, and lets them fade', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  const article = (id: string, source: string, title: string, coinIds: string[], hours: number) => ({
    id,
    source,
    title,
    coinIds,
    publishedAt: hoursAgo(hours),
  })
  const usual = Array.from({ length: 66 }, (_, i) => article(`u${i}`, 'a', 'Bitcoin', ['bitcoin'], i + 0.5))
  const sudden = ['a', 'b', 'c'].map((source, i) =>
    article(`s${i}`, source, 'Bridge drained', ['wormhole'], i + 1),
  )
  const old = ['a', 'b', 'c'].map((source, i) => article(`o${i}`, source, 'Layoffs', [], 40 + i))
  const ranked = rankTrending([...usual, ...sudden, ...old], now)
  expect(ranked.slice(0, 3).map(({ newsId }) => newsId)).toEqual(['s0', 's1', 's2'])
  expect(ranked.some(({ newsId }) => newsId.startsWith('o'))).toBe(false)
  const later = rankTrending([...usual, ...sudden], new Date(now.getTime() + 20 * 3_600_000))
  expect(later.find(({ newsId }) => newsId === 's0')?.score ?? 0).toBeLessThan(ranked[0]!.score / 2)
})

test('common words and numbers are no subjects that trend', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const ranked = (title: string) =>
    rankTrending(
      ['a', 'b'].map((source) => ({ id: source, source, title, coinIds: [], publishedAt: now })),
      now,
    ).map(({ newsId }) => newsId)
  expect(ranked('Crypto market news today: 100000 in 2026')).toEqual([])
  // Of two that trend alike the order is that of their ids.
  expect(ranked('Bridge')).toEqual(['a', 'b'])
})

test('an article trends by its three fastest subjects, wherever they stand', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const article = (id: string, title: string) => ({ id, source: id, title, coinIds: [], publishedAt: now })
  const articles = [
    article('a', 'Bridge'),
    article('b', 'Bridge'),
    article('c', 'Wallet ledger server bridge'),
  ]
  expect(rankTrending(articles, now)).toEqual([
    { newsId: 'c', score: 3 + 1 + 1 },
    { newsId: 'a', score: 3 },
    { newsId: 'b', score: 3 },
  ])
})
