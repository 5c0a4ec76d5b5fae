import type { Db } from '../db/schema.ts'
import { findAccounts } from '../db/metering/operator-read.ts'
import { CommandError } from './command.ts'
import { withOperatorDatabase } from './operator-database.ts'

/** Runs `work` on one account, given by its id or by a name that only one account has. */
export function withAccount<T>(
  idOrName: string,
  work: (db: Db, accountId: string) => Promise<T>,
): Promise<T> {
  return withOperatorDatabase(async (db) => {
    const found = await findAccounts(db, idOrName)
    if (found.length === 0) throw new CommandError(`no account ${idOrName}; see "sluice accounts list"`)
    if (found.length > 1)
      throw new CommandError(`${found.length} accounts are named ${idOrName}: use the id of one of them`)
    return work(db, found[0]!.id)
  })
}
