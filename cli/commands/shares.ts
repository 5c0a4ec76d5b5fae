import type { Db } from '../../db/schema.ts'
import {
  createShare,
  findPortfolioOwner,
  listShares,
  revokeShare,
  rotateShare,
} from '../../db/portfolios/write-shares.ts'
import { isPasscode } from '../../db/values/share-token.ts'
import { CommandError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { printDone, printRecord, printRows } from '../print.ts'
import type { SHARES } from '../specs/accounts.ts'

export function run(given: Given<typeof SHARES>): Promise<number> {
  return withOperatorDatabase(async (db) => {
    switch (given.action) {
      case 'create': {
        const { portfolio: portfolioId } = given
        const passcode = passcodeOf(given.passcode)
        const { accountId, degen } = await ownerOf(db, portfolioId)
        if (!degen) throw new CommandError(`sharing needs Degen: sluice accounts degen ${accountId} on`)
        const { shareId, token } = await createShare(db, { portfolioId, passcode, now: new Date() })
        showLink(token, { shareId }, given)
        if (!given.json)
          console.log(`Share ${shareId}. Copy the link now: only a hash of its token is stored.`)
        return 0
      }
      case 'list':
        await ownerOf(db, given.portfolio)
        printRows(await listShares(db, given.portfolio), given)
        return 0
      case 'rotate': {
        const rotated = await rotateShare(db, given.share)
        if (rotated) showLink(rotated.token, { shareId: given.share }, given)
        if (!rotated || !given.json)
          console.log(rotated ? 'The old link no longer works. A passcode stays the same.' : 'no such share')
        return rotated ? 0 : 1
      }
      case 'revoke': {
        const { revoked } = await revokeShare(db, given.share)
        printDone({ revoked }, revoked > 0 ? 'revoked; its link no longer works' : 'no such share', given)
        return revoked > 0 ? 0 : 1
      }
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
  if (!isPasscode(digits)) throw new CommandError('--passcode must have six digits')
  const pepper = operatorEnvironment()['SHARE_PEPPER']
  if (!pepper) throw new CommandError('set SHARE_PEPPER to the value that the API has')
  return { digits, pepper }
}

/** Prints the link with the address of the running installation. Without one, prints only the path. */
function showLink(token: string, share: { shareId: string }, as: { json: boolean }): void {
  const port = operatorEnvironment()['API_PORT']
  const link = `${port ? `http://127.0.0.1:${port}` : ''}/p/${token}`
  if (as.json) printRecord({ ...share, link }, as)
  else console.log(link)
}
