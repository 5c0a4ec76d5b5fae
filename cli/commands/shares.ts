import { parseArgs } from 'node:util'
import type { Db } from '../../db/connect.ts'
import {
  createShare,
  findPortfolioOwner,
  listShares,
  revokeShare,
  rotateShare,
} from '../../db/portfolios/write-shares.ts'
import { isPasscode } from '../../db/values/share-token.ts'
import { CommandError } from '../command.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'

const USAGE = `sluice shares create PORTFOLIO [--passcode 123456]
sluice shares list PORTFOLIO
sluice shares rotate SHARE
sluice shares revoke SHARE
PORTFOLIO is a portfolioId of GET /portfolio/list, SHARE an id of "sluice shares list"`

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { passcode: { type: 'string' } },
  })
  const [action, id] = positionals
  if (!id || (values.passcode !== undefined && action !== 'create')) throw new CommandError(USAGE)
  return withOperatorDatabase(async (db) => {
    switch (action) {
      case 'create': {
        const passcode = passcodeOf(values.passcode)
        const { accountId, degen } = await ownerOf(db, id)
        if (!degen) throw new CommandError(`sharing needs Degen: sluice accounts degen ${accountId} on`)
        const { shareId, token } = await createShare(db, { portfolioId: id, passcode, now: new Date() })
        showLink(token)
        console.log(`Share ${shareId}. The link is shown this once: only a hash of its token is stored.`)
        return 0
      }
      case 'list':
        await ownerOf(db, id)
        console.table(await listShares(db, id))
        return 0
      case 'rotate': {
        const rotated = await rotateShare(db, id)
        if (rotated) showLink(rotated.token)
        console.log(rotated ? 'The link before is dead. A passcode is as it was.' : 'no such share')
        return rotated ? 0 : 1
      }
      case 'revoke': {
        const { revoked } = await revokeShare(db, id)
        console.log(revoked > 0 ? 'revoked; its link is dead' : 'no such share')
        return revoked > 0 ? 0 : 1
      }
      default:
        throw new CommandError(USAGE)
    }
  })
}

async function ownerOf(db: Db, portfolioId: string) {
  const owner = await findPortfolioOwner(db, portfolioId)
  if (!owner) throw new CommandError(`no portfolio ${portfolioId}; see GET /portfolio/list`)
  return owner
}

function passcodeOf(digits: string | undefined): { digits: string; pepper: string } | null {
  if (digits === undefined) return null
  if (!isPasscode(digits)) throw new CommandError('--passcode has six digits')
  const pepper = operatorEnvironment()['SHARE_PEPPER']
  if (!pepper) throw new CommandError('no pepper: set SHARE_PEPPER to what the API has')
  return { digits, pepper }
}

/** The address where the running installation answers; elsewhere the operator knows it. */
function showLink(token: string): void {
  const port = operatorEnvironment()['API_PORT']
  console.log(`${port ? `http://127.0.0.1:${port}` : ''}/p/${token}`)
}
