import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  compareTerms,
  SAME_SCORE,
  type Verdict,
} from '../../../activities/prediction/matching/compare-terms.ts'
import type { MarketText } from '../../../activities/prediction/matching/market-text.ts'
import { matchKeys } from '../../../activities/prediction/matching/match-keys.ts'
import { readTerms } from '../../../activities/prediction/matching/read-terms.ts'

/**
 * Two markets with a manual label. Their texts are invented in the style of the venues, except for `real`, which has
 * titles that the venues used in 2026. `part`: the rules were tuned on `tuned` and `real`; `fresh` was labelled after
 * them.
 */
export interface LabelledPair {
  part: string
  verdict: 'same' | 'inverted' | 'different'
  /** `same`, `inverted`, or the clause in which the markets differ */
  class: string
  polymarket: MarketText
  kalshi: MarketText
}

interface ClassCounts {
  class: string
  pairs: number
  /** number of pairs classified as same, inverted, unclear and different */
  same: number
  inverted: number
  unclear: number
  different: number
}

export interface Measured {
  name: string
  pairs: number
  /**
   * Share of matched pairs that are correct including polarity, and share of equal pairs that were matched.
   */
  precision: number
  recall: number
  classes: ClassCounts[]
  wrong: { pair: LabelledPair; found: Verdict }[]
}

export function readPairs(): LabelledPair[] {
  const markets = new Map(
    readTable('markets.tsv').map(([id, question, label, outcomes, ends, rules]): [string, MarketText] => [
      id!,
      {
        question: question!,
        label: label || null,
        eventTitle: null,
        rules: rules || null,
        strike: null,
        outcomes: outcomes ? outcomes.split('/') : ['Yes', 'No'],
        endsAt: new Date(ends!),
      },
    ]),
  )
  return readTable('pairs.tsv').map(([part, verdict, name, polymarket, kalshi]) => ({
    part: part!,
    verdict: verdict as LabelledPair['verdict'],
    class: name!,
    polymarket: markets.get(polymarket!)!,
    kalshi: markets.get(kalshi!)!,
  }))
}

const NOT_COMPARED: Verdict = {
  relation: 'different',
  inverted: false,
  score: 0,
  vetoes: [{ clause: 'subject', reason: 'they have no key in common' }],
}

/** Measures candidate selection and comparison at the default score. */
export function measure(name: string, pairs: readonly LabelledPair[]): Measured {
  const classes = new Map<string, ClassCounts>()
  const wrong: Measured['wrong'] = []
  const counts = { right: 0, matched: 0, expected: 0 }
  for (const pair of pairs) {
    const [a, b] = [readTerms(pair.polymarket), readTerms(pair.kalshi)]
    // Pairs without a common key are never compared.
    const compared = matchKeys(a).some((key) => matchKeys(b).includes(key))
    const found = compared ? compareTerms(a, b) : NOT_COMPARED
    const said = found.score >= SAME_SCORE ? (found.inverted ? 'inverted' : 'same') : found.relation
    const row = classes.get(pair.class) ?? {
      class: pair.class,
      pairs: 0,
      same: 0,
      inverted: 0,
      unclear: 0,
      different: 0,
    }
    classes.set(pair.class, row)
    row.pairs++
    row[said]++
    if (pair.verdict !== 'different') counts.expected++
    if (said === 'same' || said === 'inverted') counts.matched++
    if (said === pair.verdict && pair.verdict !== 'different') counts.right++
    if (said !== pair.verdict && !(pair.verdict === 'different' && said === 'unclear'))
      wrong.push({ pair, found })
  }
  return {
    name,
    pairs: pairs.length,
    wrong,
    classes: [...classes.values()],
    precision: counts.right / counts.matched,
    recall: counts.right / counts.expected,
  }
}

function readTable(file: string): string[][] {
  const [, ...lines] = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => line.split('\t'))
}
