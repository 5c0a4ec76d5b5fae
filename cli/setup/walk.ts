import { problemsWith } from '../check-environment.ts'
import type { Offer } from './offers.ts'
import type { Terminal } from './terminal.ts'
import { trySetting } from './try-setting.ts'

/** Changes of settings by variable; null removes one. */
export type Changes = Record<string, string | null>

type Environment = Record<string, string | undefined>

const CHOICES = 'Enter: next, -: remove, q: finish'

/**
 * Asks for each setting that is offered, and tests what is typed. `placeOf`: where a setting is set. Returns the
 * changes; `more`: the operator wants to go on.
 */
export async function walk(
  offers: readonly Offer[],
  { terminal, env, placeOf }: { terminal: Terminal; env: Environment; placeOf: (name: string) => string },
): Promise<{ changes: Changes; more: boolean }> {
  const changes: Changes = {}
  for (const [i, offer] of offers.entries()) {
    const { variable } = offer
    terminal.say(`\n${i + 1}/${offers.length}  ${variable}: ${placeOf(variable)}`)
    for (const [head, text] of linesOf(offer)) terminal.say(`  ${head.padEnd(11)}${text}`)
    for (;;) {
      const typed = await terminal.ask(`  value (${CHOICES}): `, { secret: true })
      if (typed === null || typed === 'q') return { changes, more: false }
      if (typed === '') break
      if (typed === '-') {
        changes[variable] = null
        break
      }
      if (!(await isWanted(variable, typed, { terminal, env }))) continue
      changes[variable] = typed
      break
    }
  }
  return { changes, more: true }
}

const linesOf = ({ gives, note, without, freePlan, from }: Offer): [string, string][] => [
  ['gives', gives],
  ...(note === undefined ? [] : [['note', note] as [string, string]]),
  ...(freePlan === undefined ? [] : [['free plan', freePlan] as [string, string]]),
  ['without it', without],
  ...(from === undefined ? [] : [['get it at', from] as [string, string]]),
]

async function isWanted(
  name: string,
  value: string,
  { terminal, env }: { terminal: Terminal; env: Environment },
): Promise<boolean> {
  const problems = problemsWith(env, { [name]: value })
  if (problems.length > 0) {
    for (const problem of problems) terminal.say(`  ${problem}`)
    return false
  }
  const { state, said } = await trySetting({ name, value }, env)
  terminal.say(`  ${said}`)
  return state !== 'refused' || /^y(es)?$/i.test((await terminal.ask('  Store it anyway? (y/N): ')) ?? '')
}
