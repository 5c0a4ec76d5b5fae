import { userInfo } from 'node:os'
import { listKeys } from '../../db/metering/operator-read.ts'
import { issueKey, withdrawKey } from '../../db/console/accounts.ts'
import { CommandError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { withAccount } from '../operator-account.ts'
import { printRecord, printRows } from '../print.ts'
import type { KEYS } from '../specs/accounts.ts'

export async function run(given: Given<typeof KEYS>): Promise<number> {
  const operator = userInfo().username
  switch (given.action) {
    case 'create': {
      const limits = {
        readOnly: given['read-only'],
        ...(given.opens !== undefined && { opens: await opensOf(given.opens) }),
        ...(given.expires !== undefined && { expiresAt: given.expires }),
      }
      const issued = await withAccount(given.account, (db, accountId) =>
        issueKey(db, { accountId, name: given.name, ...limits, operator }),
      )
      if (!issued) throw new CommandError(`the account ${given.account} is closed`)
      const { key } = issued
      if (given.json) printRecord({ key }, given)
      else console.log(`${key}\nCopy the key now: only its hash is stored.`)
      return 0
    }
    case 'list':
      printRows(await withAccount(given.account, (db, accountId) => listKeys(db, { accountId })), given)
      return 0
    case 'revoke': {
      const { account, prefix } = given
      const revoked = await withAccount(account, (db, accountId) =>
        withdrawKey(db, { accountId, prefix, operator }),
      )
      if (given.json) printRecord({ revoked }, given)
      else console.log(revoked > 0 ? `revoked ${revoked}; it stops working within 5 seconds` : 'no such key')
      return revoked > 0 ? 0 : 1
    }
  }
}

async function opensOf(list: string): Promise<string[]> {
  const [{ openable }, { routes }] = await Promise.all([
    import('../../api/openable.ts'),
    import('../../api/routes.ts'),
  ])
  const { tags, endpoints } = openable(routes)
  const items = list.split(',').map((item) => item.trim())
  const unknown = items.filter((item) => !tags.includes(item) && !endpoints.includes(item))
  if (unknown.length > 0)
    throw new CommandError(
      `there is no tag or endpoint ${unknown.join(', ')}; give tags of ${tags.join(', ')}`,
    )
  return items
}
