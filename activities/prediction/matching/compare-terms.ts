import { compareBounds } from './compare-bounds.ts'
import { comparePeriods } from './compare-periods.ts'
import { compareRoles } from './read-roles.ts'
import { type Terms } from './read-terms.ts'
import { sameStem, type Words } from './words.ts'

export type Clause =
  | 'subject'
  | 'measure'
  | 'roles'
  | 'scope'
  | 'threshold'
  | 'path'
  | 'date'
  | 'hour'
  | 'source'

/** Whether two markets ask the same. */
export interface Verdict {
  /** `unclear`: no clause differs, but the score is too low */
  relation: 'same' | 'unclear' | 'different'
  /** Yes of one is No of the other */
  inverted: boolean
  /** 0 when there are vetoes */
  score: number
  /** clauses that differ, with what each side says */
  vetoes: { clause: Clause; reason: string }[]
}

/** Change it together with the reading or the comparison: all markets are then matched again. */
export const MATCH_METHOD = 'clauses-2'
/** Lowest score at which two markets count as the same. */
export const SAME_SCORE = 0.8

/** Compares clause by clause; each one that differs is a veto. The order of the two does not matter. */
export function compareTerms(a: Terms, b: Terms): Verdict {
  const vetoes: Verdict['vetoes'] = []
  let doubt = 0
  const veto = (clause: Clause, reason: string): void => void vetoes.push({ clause, reason })

  const [missingB, missingA] = [unsaid(a.words, b.spoken), unsaid(b.words, a.spoken)]
  const strange = [...missingB.firm, ...missingA.firm].toSorted()
  if (strange.length > 0) veto('subject', `only one names: ${strange.join(', ')}`)
  else if (!a.words.firm.some((word) => b.spoken.firm.includes(word)) && !sameWords(a.words, b.words))
    veto('subject', 'they name nothing in common')
  if (missingB.loose.length > 0 && missingA.loose.length > 0)
    veto('measure', [missingB.loose.join(' '), missingA.loose.join(' ')].toSorted().join(' against '))
  // An extra word is often a condition ("major hurricanes", "again"), so people have to check these pairs.
  doubt += 0.21 * (missingB.loose.length + missingA.loose.length)

  const swapped = compareRoles(a.roles, b.roles)
  if (swapped !== null) veto('roles', swapped)
  if (a.game !== b.game) veto('scope', 'one is about a single game')
  const pickFlip = comparePicks(a, b)
  if (pickFlip === null) veto('subject', 'their outcomes differ')

  const figures = compareBounds(a, b)
  if (typeof figures === 'string') veto('threshold', figures)
  else doubt += figures.doubt
  if (a.path !== null && b.path !== null && a.path !== b.path)
    veto('path', 'one asks for any time, the other for a given time')
  else if (a.path !== b.path) doubt += 0.05

  const dates = comparePeriods(a, b)
  if (dates === null) veto('date', [sayPeriod(a), sayPeriod(b)].toSorted().join(' against '))
  else doubt += dates
  if (!a.game && a.minute !== null && b.minute !== null && a.minute !== b.minute)
    veto('hour', 'they check different hours of the day')
  if (a.sources.length > 0 && b.sources.length > 0 && !a.sources.some((name) => b.sources.includes(name)))
    veto('source', [a.sources.join(', '), b.sources.join(', ')].toSorted().join(' against '))
  else if (a.sources.length !== b.sources.length) doubt += 0.02

  const complement = typeof figures === 'string' ? false : figures.complement
  const inverted = [a.negated !== b.negated, complement, pickFlip === true].filter(Boolean).length % 2 === 1
  if (vetoes.length > 0) return { relation: 'different', inverted, score: 0, vetoes }
  const score = Number(Math.max(1 - doubt - (inverted ? 0.02 : 0), 0).toFixed(4))
  return { relation: score >= SAME_SCORE ? 'same' : 'unclear', inverted, score, vetoes }
}

/** Words of one market that the other does not have in any form. Names must be equal. */
function unsaid(words: Words, spoken: Words): Words {
  const all = [...spoken.firm, ...spoken.loose]
  return {
    firm: words.firm.filter(
      (word) => !all.some((other) => other === word || other === `${word}s` || word === `${other}s`),
    ),
    loose: words.loose.filter((word) => !all.some((other) => sameStem(word, other.replace(/^@/, '')))),
  }
}

const sameWords = (a: Words, b: Words): boolean =>
  [...a.firm, ...a.loose].length > 0 &&
  [...a.firm, ...a.loose].some((word) => [...b.firm, ...b.loose].includes(word))

/** Whether Yes stands for opposite sides of a game; false: for the same side; null: for neither. */
function comparePicks({ picks: a }: Terms, { picks: b }: Terms): boolean | null {
  // Named outcomes cannot be compared with a plain Yes.
  if (a.length === 0 || b.length === 0) return a.length > 1 || b.length > 1 ? null : false
  if (a[0] === b[0]) return false
  const swapped = (a.length === 2 && a[1] === b[0]) || (b.length === 2 && b[1] === a[0])
  return swapped ? true : null
}

function sayPeriod({ period, periods, endsAt }: Terms): string {
  const said = period ?? periods[0]
  return said
    ? `${said.kind} ${said.from && said.from !== said.to ? `${said.from} to ` : ''}${said.to}`
    : `ends ${endsAt?.toISOString() ?? 'unknown'}`
}
