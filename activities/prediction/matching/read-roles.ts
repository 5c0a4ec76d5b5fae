import { sameStem, tellingWords } from './words.ts'

/** The telling words of a question in order, and whether it asks for more or for less. */
export interface Roles {
  order: { word: string; firm: boolean }[]
  direction: 'up' | 'down' | null
}

const UP = /\b(?:rises?|increases?|up|gains?|grows?|higher|jumps?)\b/i
const DOWN = /\b(?:falls?|decreases?|down|loses?|shrinks?|lower|declines?|drops?)\b/i

export function readRoles(question: string): Roles {
  const [up, down] = [UP.test(question), DOWN.test(question)]
  return { order: tellingWords(question), direction: up === down ? null : up ? 'up' : 'down' }
}

/** What is reversed: names around a shared word ("Israel strikes Iran") or the direction; null: nothing. */
export function compareRoles(a: Roles, b: Roles): string | null {
  if (a.direction !== null && b.direction !== null && a.direction !== b.direction)
    return 'one asks for more, the other for less'
  for (const [i, { word, firm }] of a.order.entries()) {
    const j = firm ? -1 : b.order.findIndex((other) => !other.firm && sameStem(word, other.word))
    if (j < 0) continue
    const [beforeA, afterA] = [namesOf(a.order.slice(0, i)), namesOf(a.order.slice(i))]
    const [beforeB, afterB] = [namesOf(b.order.slice(0, j)), namesOf(b.order.slice(j))]
    const meet = (some: readonly string[], others: readonly string[]) =>
      some.some((name) => others.includes(name))
    if (meet(beforeA, afterB) && meet(afterA, beforeB) && !meet(beforeA, beforeB) && !meet(afterA, afterB))
      return 'actor and target are swapped'
  }
  return null
}

const namesOf = (words: Roles['order']): string[] => words.flatMap(({ word, firm }) => (firm ? [word] : []))
