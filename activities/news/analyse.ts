import type { Sentiment } from '../../db/news/tables.ts'
import { findCoins } from './coins/find-coins.ts'
import type { Vocabulary } from './coins/vocabulary.ts'
import { scoreSentiment, SENTIMENT_VERSION } from './sentiment/score-sentiment.ts'

export interface Analysis {
  coinIds: string[]
  sentiment: Sentiment
  score: number
}

/** Finds the coins and the tone of an article. Uses the coins of the summary only if the title names none. */
export function analyse(
  article: { title: string; summary: string | null },
  vocabulary: Vocabulary,
): Analysis {
  const named = findCoins(article.title, vocabulary)
  const coinIds = named.length > 0 ? named : findCoins(article.summary ?? '', vocabulary)
  return { coinIds, ...scoreSentiment(article) }
}

/** The version of the analysis. Articles with another version are analysed again. */
export function analysisVersion(vocabulary: Vocabulary): string {
  return `${vocabulary.version}-${SENTIMENT_VERSION}`
}
