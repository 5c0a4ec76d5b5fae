import { allow, compare, type Difference, hasPlace, pathText } from './compare.ts'
import { merge, type Shape } from './shape.ts'

/** A difference that answers have shown, and how often. */
export interface Change extends Difference {
  /** where it is, for people */
  field: string
  /** answers that had it and answers that did not, since the first */
  seen: number
  missed: number
  inARow: number
  /** ISO instants */
  firstAt: string
  lastAt: string
  /** since when it is an alarm; null: it was not seen often enough */
  driftedAt: string | null
}

/** What is known of the answers to one operation of a source. */
export interface Known {
  shape: Shape
  /** Answers that the shape was learnt from, up to LEARNT. */
  learnt: number
  changes: Change[]
}

/** Answers that are learnt before anything is a change. */
export const LEARNT = 10
/** Answers in a row with a change that make it an alarm. */
export const IN_A_ROW = 5
/** Answers without a change that end it. */
export const ENOUGH = 3
const MOST_CHANGES = 30

/**
 * Looks at one more answer. A change is an alarm when five answers in a row have it, or one that the adapter refused.
 * It ends when three answers did not have it. If three had it as well, it is part of the shape from then on: the field
 * is optional, or has several types.
 */
export function look(
  known: Known | null,
  answer: { shape: Shape; fits: boolean; at: string },
): { known: Known | null; isNew: boolean } {
  const { shape, fits, at } = answer
  if (known === null || known.learnt < LEARNT) {
    if (!fits) return { known, isNew: false }
    const before = known ?? { shape, learnt: 0, changes: [] }
    return {
      known: { ...before, shape: merge(before.shape, shape), learnt: before.learnt + 1 },
      isNew: false,
    }
  }
  const { shape: varied, differences } = compare(known.shape, shape)
  const found = new Map(differences.map((difference) => [keyOf(difference), difference]))
  const before = known.changes.filter((change) => hasPlace(varied, change))
  const again = before.map((change) => {
    const difference = found.get(keyOf(change))
    if (difference) return seen({ ...change, ...difference }, { fits, at })
    return hasPlace(shape, change) ? { ...change, missed: change.missed + 1, inARow: 0 } : change
  })
  for (const change of before) found.delete(keyOf(change))
  const added = [...found.values()].map((difference) => {
    const field = pathText(difference.path)
    return seen({ ...difference, ...NEVER_SEEN, field, firstAt: at, lastAt: at }, { fits, at })
  })
  const [ended, open] = partition([...again, ...added], ({ missed }) => missed >= ENOUGH)
  const varies = ended.filter((change) => change.seen >= ENOUGH)
  return {
    known: { ...known, shape: varies.reduce(allow, varied), changes: most(open) },
    isNew: added.length > 0,
  }
}

/** As many as are kept: alarms first, fields that appeared last, and of the same kind those that were seen last. */
function most(changes: readonly Change[]): Change[] {
  const rank = ({ driftedAt, change }: Change) => (driftedAt !== null ? 0 : change === 'appeared' ? 2 : 1)
  return changes
    .toSorted((a, b) => rank(a) - rank(b) || Date.parse(b.lastAt) - Date.parse(a.lastAt))
    .slice(0, MOST_CHANGES)
}

const keyOf = ({ path, change }: Pick<Difference, 'path' | 'change'>) => `${change} ${JSON.stringify(path)}`

const NEVER_SEEN = { seen: 0, missed: 0, inARow: 0, driftedAt: null }

function seen(change: Change, { fits, at }: { fits: boolean; at: string }): Change {
  const inARow = change.inARow + 1
  const driftedAt = change.driftedAt ?? (inARow >= IN_A_ROW || !fits ? at : null)
  return { ...change, seen: change.seen + 1, inARow, lastAt: at, driftedAt }
}

function partition<T>(list: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [list.filter(isFirst), list.filter((one) => !isFirst(one))]
}

/** After an operator accepted the changes: all of them may be from now on. */
export const accept = (known: Known): Known => ({
  ...known,
  shape: known.changes.reduce(allow, known.shape),
  changes: [],
})
