import type { Sentiment } from '../../../db/news/tables.ts'
import { BURDENS, LEXICON, NEGATIONS } from './lexicon.ts'

/** Raise it when the lexicon or the rules change. */
export const SENTIMENT_VERSION = 1

const LONGEST_PHRASE = 3
const NEGATION_REACH = 3
/** The title counts twice as much as the summary. */
const TITLE_WEIGHT = 2
/** Keeps one weak word from giving a full score. */
const DAMPING = 8
const THRESHOLD = 0.4

/**
 * Scores the tone of an article for the market from its title and summary: -1 (bearish) to 1 (bullish). The
 * sum s of the weights, reversed after negations, becomes s / sqrt(s² + 8). From 0.4 up it is bullish, from
 * -0.4 down bearish.
 */
export function scoreSentiment(article: { title: string; summary: string | null }): {
  sentiment: Sentiment
  score: number
} {
  const sum = TITLE_WEIGHT * weigh(article.title) + weigh(article.summary ?? '')
  const score = sum / Math.sqrt(sum * sum + DAMPING)
  return { score, sentiment: score >= THRESHOLD ? 'bullish' : score <= -THRESHOLD ? 'bearish' : 'neutral' }
}

function weigh(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-'’.][\p{L}\p{N}]+)*/gu) ?? []
  let sum = 0
  let negatedUpTo = -1
  for (let i = 0; i < words.length;) {
    const length = phraseAt(words, i)
    if (length === 0) {
      if (NEGATIONS.has(words[i]!)) negatedUpTo = i + NEGATION_REACH
      i++
      continue
    }
    const weight = LEXICON.get(words.slice(i, i + length).join(' '))!
    // A burden that does not fall is as bad as one that rises.
    const isTurned = i <= negatedUpTo !== isBurden(words, i)
    sum += isTurned ? -weight : weight
    if (NEGATIONS.has(words[i]!)) negatedUpTo = i + NEGATION_REACH
    i += length
  }
  return sum
}

/** The number of words of the longest lexicon phrase at a place; 0: none. */
function phraseAt(words: readonly string[], at: number): number {
  for (let length = LONGEST_PHRASE; length > 0; length--)
    if (LEXICON.has(words.slice(at, at + length).join(' '))) return length
  return 0
}

/** Whether the subject of a rise or fall is a burden, as in "fees fall". */
function isBurden(words: readonly string[], at: number): boolean {
  const before = words[at - 1]
  return before !== undefined && BURDENS.has(before) && !LEXICON.has(before)
}
