import { sql } from 'kysely'
import { importTransactions, readAgain } from '../../db/exchanges/cursors.ts'
import { rotateWebhookSecrets } from '../../db/events/rotate-webhook-secrets.ts'
import { rotateSecrets } from '../../db/exchanges/rotate-secrets.ts'
import { order } from '../../db/portfolios/operator.ts'
import { exchangeSync } from '../../db/sync-commands.ts'
import { transact } from '../../db/transact.ts'
import { createSealingKey, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { CommandError } from '../command.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import { homeFolder } from '../folders.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { printDone } from '../print.ts'
import { readFillFile } from '../read-fill-file.ts'
import { addSealingKey, readSecrets } from '../secrets.ts'
import { showProblems } from '../show-problems.ts'
import type { EXCHANGES } from '../specs/data.ts'

export async function run(given: Given<typeof EXCHANGES>): Promise<number> {
  switch (given.action) {
    case 'import':
      return importFills(given)
    case 'read-again':
      return readListsAgain(given)
    case 'new-key':
      return newKey(given)
    case 'rotate-keys': {
      const keys = (operatorEnvironment()['EXCHANGE_KEYS'] ?? '').split(',').filter((key) => key !== '')
      if (keys.length === 0) throw new CommandError('no keys: set EXCHANGE_KEYS, the newest first')
      const rotated = await withOperatorDatabase(async (db) => {
        const exchanges = await rotateSecrets(db, keys)
        const webhooks = await rotateWebhookSecrets(db, keys)
        return exchanges.rotated + webhooks.rotated
      })
      printDone(
        { rotated },
        `${rotated} secrets are encrypted under the newest key; you can remove the older keys`,
        given,
      )
      return 0
    }
  }
}

/**
 * Imports all fills of the file, or prints its problems and imports none. The next sync adds them to the P&L.
 */
async function importFills(given: GivenOf<typeof EXCHANGES, 'import'>): Promise<number> {
  const { portfolio: portfolioId, file } = given
  const { rows, problems } = await readFillFile(file)
  if (problems.length > 0) {
    showProblems(problems)
    return 1
  }
  return withOperatorDatabase(async (_, pool) =>
    transact(pool, async ({ db, client }) => {
      const { rows: found } = await sql<{ connectionId: string }>`
        select id as "connectionId" from exchange_connections where id::text = ${portfolioId}`.execute(db)
      if (!found[0]) throw new CommandError(`there is no exchange account with id ${portfolioId}`)
      const { connectionId } = found[0]
      const added = await importTransactions(client, {
        connectionId,
        source: 'csv',
        fetchedAt: new Date(),
        rows,
      })
      await order(db, exchangeSync(connectionId))
      printDone(
        { lines: rows.length, added },
        `${rows.length} lines: ${added} new; fills that were stored already stay as the exchange returned them`,
        given,
      )
      return 0
    }),
  )
}

async function readListsAgain(given: GivenOf<typeof EXCHANGES, 'read-again'>): Promise<number> {
  const { exchange } = given
  const accounts = await withOperatorDatabase((db) => readAgain(db, exchange))
  if (accounts === 0) throw new CommandError(`there is no account at "${exchange}"`)
  const done = `the next sync of each account at ${exchange} (${accounts}) reads all lists from their starts`
  printDone({ accounts }, done, given)
  return 0
}

/**
 * Adds the key to the secrets file of an installation of `npm start`; otherwise prints it for the
 * environment.
 */
function newKey(given: { json: boolean }): number {
  const secrets = readSecrets(homeFolder())
  if (secrets && !process.env['EXCHANGE_KEYS']) {
    addSealingKey(homeFolder(), secrets)
    printDone({ stored: true }, 'The next start uses it. Then run: sluice exchanges rotate-keys', given)
    return 0
  }
  const key = createSealingKey()
  const sealKey = sealingPublicKey(key)
  printDone(
    { stored: false, key, sealKey },
    `EXCHANGE_KEYS      put this key before the others: ${key}\nEXCHANGE_SEAL_KEY  ${sealKey}`,
    given,
  )
  return 0
}
