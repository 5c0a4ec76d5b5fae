import { userInfo } from 'node:os'
import { doNoted } from '../../db/console/note-action.ts'
import { listVersions, useVersion } from '../../ops/temporal/worker-versions.ts'
import { CommandError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { withOperatorTemporal } from '../operator-temporal.ts'
import { printDone, printRows } from '../print.ts'
import type { WORKERS } from '../specs/watch.ts'

/** Lists the versions of workers, or has new runs begin with one of them. */
export async function run(given: Given<typeof WORKERS>): Promise<void> {
  await withOperatorTemporal(async (client) => {
    const versions = await listVersions(client)
    if (given.action !== 'use') return printRows(versions, given)
    const { version } = given
    if (!versions.some((one) => one.version === version))
      throw new CommandError(
        versions.length === 0
          ? 'no worker has a version: start workers with WORKER_VERSION'
          : `no worker has the version ${version}; there are ${versions.map((one) => one.version).join(', ')}`,
      )
    const noted = { operator: userInfo().username, action: 'use a version of workers', subject: version }
    await withOperatorDatabase((db) => doNoted(db, noted, () => useVersion(client, version)))
    printDone({ version }, `new runs begin with ${version}`, given)
  })
}
