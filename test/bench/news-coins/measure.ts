import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCoins } from '../../../activities/news/coins/find-coins.ts'
import { createVocabulary } from '../../../activities/news/coins/vocabulary.ts'
import { scoreSentiment } from '../../../activities/news/sentiment/score-sentiment.ts'

/**
 * A headline with manual labels. All are invented, except for `real`, which news sites published. `part`: the rules were
 * tuned on `tuned`, `named` (coins whose names are ordinary words) and `real`; `fresh` was labelled after them.
 */
export interface Headline {
  part: string
  sentiment: string
  coinIds: string[]
  title: string
}

interface Wrong {
  title: string
  expected: string
  found: string
}

export interface Measured {
  name: string
  headlines: number
  /** Share of found coins that are correct, and share of correct coins that were found. */
  precision: number
  recall: number
  /** Share of headlines with the labelled tone, and precision and recall of both directions together. */
  toneRight: number
  tonePrecision: number
  toneRecall: number
  wrongCoins: Wrong[]
  wrongTones: Wrong[]
}

export function readHeadlines(): Headline[] {
  return readTable('headlines.tsv').map(([part, sentiment, coins, title]) => ({
    part: part!,
    sentiment: sentiment!,
    title: title!,
    coinIds: coins === '' ? [] : coins!.split(','),
  }))
}

/** Measures the recognition of coins and tone in labelled headlines, by title only. */
export function measure(name: string, headlines: readonly Headline[]): Measured {
  const vocabulary = createVocabulary(
    readTable('coins.tsv').map(([rank, id, symbol, coin]) => ({
      id: id!,
      symbol: symbol!,
      name: coin!,
      rank: Number(rank),
    })),
  )
  const coins = { right: 0, found: 0, expected: 0 }
  const tone = { right: 0, found: 0, expected: 0, same: 0 }
  const wrongCoins: Wrong[] = []
  const wrongTones: Wrong[] = []
  for (const { title, coinIds, sentiment } of headlines) {
    const found = findCoins(title, vocabulary)
    coins.found += found.length
    coins.expected += coinIds.length
    coins.right += found.filter((id) => coinIds.includes(id)).length
    if (found.toSorted().join() !== coinIds.toSorted().join())
      wrongCoins.push({ title, expected: coinIds.join(), found: found.join() })
    const heard = scoreSentiment({ title, summary: null }).sentiment
    if (heard !== 'neutral') tone.found++
    if (sentiment !== 'neutral') tone.expected++
    if (heard === sentiment) tone.same++
    else wrongTones.push({ title, expected: sentiment, found: heard })
    if (heard === sentiment && heard !== 'neutral') tone.right++
  }
  return {
    name,
    headlines: headlines.length,
    wrongCoins,
    wrongTones,
    precision: coins.right / coins.found,
    recall: coins.right / coins.expected,
    toneRight: tone.same / headlines.length,
    tonePrecision: tone.right / tone.found,
    toneRecall: tone.right / tone.expected,
  }
}

function readTable(file: string): string[][] {
  const [, ...lines] = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => line.split('\t'))
}
