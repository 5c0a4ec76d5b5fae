import { parseArgs } from 'node:util'
import { listKeys } from '../../db/metering/operator-read.ts'
import { createKey, revokeKey } from '../../db/metering/write.ts'
import { CommandError } from '../command.ts'
import { withAccount } from '../operator-account.ts'

const USAGE = `sluice keys create --account ACCOUNT --name NAME
sluice keys list --account ACCOUNT
sluice keys revoke --account ACCOUNT --prefix PREFIX
ACCOUNT is an id of "sluice accounts list", or a name`

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { account: { type: 'string' }, name: { type: 'string' }, prefix: { type: 'string' } },
  })
  const { account, name, prefix } = values
  if (!account) throw new CommandError(USAGE)
  switch (positionals[0]) {
    case 'create': {
      if (!name) throw new CommandError(USAGE)
      const { key } = await withAccount(account, (db, accountId) => createKey(db, { accountId, name }))
      console.log(`${key}\nIt is shown this once: only its hash is stored.`)
      return 0
    }
    case 'list':
      console.table(await withAccount(account, (db, accountId) => listKeys(db, { accountId })))
      return 0
    case 'revoke': {
      if (!prefix) throw new CommandError(USAGE)
      const { revoked } = await withAccount(account, (db, accountId) => revokeKey(db, { accountId, prefix }))
      console.log(revoked > 0 ? `revoked ${revoked}; dead within 5 seconds` : 'no such key')
      return revoked > 0 ? 0 : 1
    }
    default:
      throw new CommandError(USAGE)
  }
}
