import { parseArgs } from 'node:util'
import { matchEvents } from '../../activities/prediction/match-events.ts'
import { openDb } from '../../db/connect.ts'
import { type ListedMatch, listMatches } from '../../db/prediction/read-matches.ts'
import { decideMatch } from '../../db/prediction/write-matches.ts'
import { CommandError } from '../command.ts'
import { operatorEnvironment } from '../operator-environment.ts'

const USAGE = `sluice prediction matches [--status auto|confirmed|rejected] [--relation same|unclear|different] [--limit N]
sluice prediction confirm POLYMARKET-SLUG KALSHI-SLUG [--inverted|--straight]
sluice prediction reject POLYMARKET-SLUG KALSHI-SLUG`
const STATUSES = ['auto', 'confirmed', 'rejected']
const RELATIONS = ['same', 'unclear', 'different']
const MOST = 10_000

/** Shows pairs of markets of both venues, or takes the operator's word on one of them. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      status: { type: 'string' },
      relation: { type: 'string' },
      limit: { type: 'string', default: '50' },
      inverted: { type: 'boolean', default: false },
      straight: { type: 'boolean', default: false },
    },
  })
  const [action, polymarketSlug, kalshiSlug, ...rest] = positionals
  const limit = /^\d{1,5}$/.test(values.limit) ? Number(values.limit) : 0
  const known = (text: string | undefined, list: string[]) => text === undefined || list.includes(text)
  const lists = action === 'matches' && polymarketSlug === undefined
  const decides =
    (action === 'confirm' || action === 'reject') && kalshiSlug !== undefined && rest.length === 0
  const good =
    known(values.status, STATUSES) && known(values.relation, RELATIONS) && limit >= 1 && limit <= MOST
  if ((!lists && !decides) || !good || (values.inverted && values.straight)) throw new CommandError(USAGE)
  const url = operatorEnvironment()['DATABASE_URL']
  if (!url) throw new CommandError('no database: run "npm start" in another terminal, or set DATABASE_URL')
  const connection = openDb({ url, maxConnections: 1, applicationName: 'sluice-cli' })
  try {
    if (lists) {
      const filter = { status: values.status ?? null, relation: values.relation ?? null, limit }
      for (const match of await listMatches(connection.db, filter)) console.log(lineOf(match))
      return 0
    }
    const decided = await decideMatch(connection.db, {
      ...{ polymarketSlug: polymarketSlug!, kalshiSlug: kalshiSlug! },
      status: action === 'confirm' ? 'confirmed' : 'rejected',
      inverted: values.inverted ? true : values.straight ? false : null,
      now: new Date(),
    })
    if (!decided) {
      console.log(`there is no market ${polymarketSlug} at Polymarket or no ${kalshiSlug} at Kalshi`)
      return 1
    }
    await matchEvents({ pool: connection.pool, now: () => new Date() })
    console.log(
      `${action}ed${action === 'confirm' && decided.inverted ? ', Yes of the one is No of the other' : ''}`,
    )
    return 0
  } finally {
    await connection.close()
  }
}

function lineOf(match: ListedMatch): string {
  const { score, status, relation, inverted, method, vetoes } = match
  const verdict = `${Number(score).toFixed(2)}  ${status}  ${relation}${inverted ? ' (inverted)' : ''}  ${method}`
  const reasons = vetoes.map(({ clause, reason }) => `\n      ${clause}: ${reason}`).join('')
  return `${verdict}  ${match.polymarket_slug}  ${match.kalshi_slug}${reasons}`
}
