import { matchEvents } from '../../activities/prediction/match-events.ts'
import { type ListedMatch, listMatches } from '../../db/prediction/read-matches.ts'
import { decideMatch } from '../../db/prediction/write-matches.ts'
import { readQuarantinedAgain } from '../../db/prediction/walks.ts'
import { UsageError } from '../command.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printDone, printRows } from '../print.ts'
import type { PREDICTION } from '../specs/data.ts'

type Spec = typeof PREDICTION

export function run(given: Given<Spec>): Promise<number> {
  switch (given.action) {
    case 'matches':
      return list(given)
    case 'confirm':
    case 'reject':
      return decide(given)
    case 'read-again':
      return readFillsAgain(given)
  }
}

/** Lists pairs of markets of two venues. */
async function list(given: GivenOf<Spec, 'matches'>): Promise<number> {
  const { status = null, relation = null, limit } = given
  const matches = await withOperatorDatabase((db) => listMatches(db, { status, relation, limit }))
  if (given.json) printRows(matches, given)
  else for (const match of matches) console.log(lineOf(match))
  return 0
}

/** Stores the operator's decision on one pair. */
async function decide(given: GivenOf<Spec, 'confirm'> | GivenOf<Spec, 'reject'>): Promise<number> {
  const { slug, other } = given
  const inverted = given.action === 'confirm' ? invertedOf(given) : null
  return withOperatorDatabase(async (db, pool) => {
    const decided = await decideMatch(db, {
      slugs: [slug, other],
      inverted,
      now: new Date(),
      status: given.action === 'confirm' ? 'confirmed' : 'rejected',
    })
    if (!decided) {
      printDone({ found: false }, `${slug} and ${other} are not markets of two venues`, given)
      return 1
    }
    await matchEvents({ pool, now: () => new Date() })
    const isInverted = given.action === 'confirm' && decided.inverted
    printDone(
      { found: true, status: `${given.action}ed`, inverted: isInverted },
      `${given.action}ed${isInverted ? ', Yes of one is No of the other' : ''}`,
      given,
    )
    return 0
  })
}

async function readFillsAgain(given: GivenOf<Spec, 'read-again'>): Promise<number> {
  const { venue } = given
  const markets = await withOperatorDatabase((db) => readQuarantinedAgain(db, venue))
  const done = `the next run of ${venue} reads the fills of ${markets} ${markets === 1 ? 'market' : 'markets'} again`
  printDone({ markets }, markets === 0 ? `no market of ${venue} has quarantined fills` : done, given)
  return 0
}

/** null: keep the direction that was found. */
function invertedOf({ inverted, straight }: { inverted: boolean; straight: boolean }): boolean | null {
  if (inverted && straight) throw new UsageError('give --inverted or --straight, not both')
  return inverted ? true : straight ? false : null
}

function lineOf(match: ListedMatch): string {
  const { score, status, relation, inverted, method, vetoes } = match
  const verdict = `${Number(score).toFixed(2)}  ${status}  ${relation}${inverted ? ' (inverted)' : ''}  ${method}`
  const reasons = vetoes.map(({ clause, reason }) => `\n      ${clause}: ${reason}`).join('')
  return `${verdict}  ${match.polymarket_slug}  ${match.kalshi_slug}${reasons}`
}
