import type { Sentiment } from '../../db/news/tables.ts'
import { findCoins } from './coins/find-coins.ts'
import type { Vocabulary } from './coins/vocabulary.ts'
import { scoreSentiment, SENTIMENT_VERSION } from './sentiment/score-sentiment.ts'

export interface Analysis {
  coinIds: string[]
  sentiment: Sentiment
  score: number
}

/** What the words of an article say: its coins (of the summary only where the title names none) and its tone. */
export function analyse(
  article: { title: string; summary: string | null },
  vocabulary: Vocabulary,
): Analysis {
  const named = findCoins(article.title, vocabulary)
  const coinIds = named.length > 0 ? named : findCoins(article.summary ?? '', vocabulary)
  return { coinIds, ...scoreSentiment(article) }
}

/** Articles that were analysed with another one are analysed again. */
export function analysisVersion(vocabulary: Vocabulary): string {
  return `${vocabulary.version}-${SENTIMENT_VERSION}`
}
