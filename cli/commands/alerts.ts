import { ApiError } from '../../api/errors.ts'
import { SUBJECTS } from '../../api/events/alert.ts'
import { newAlert } from '../../api/events/new-alert.ts'
import { parseAlert } from '../../api/events/parse-alert.ts'
import { applyAlertWrite, deleteAlert, listAlerts } from '../../db/events/operator-alerts.ts'
import { planOf } from '../../db/metering/operator-read.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { CommandError, UsageError } from '../command.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import { withAccount } from '../operator-account.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printDone, printRecord, printRows } from '../print.ts'
import type { ALERTS } from '../specs/alerts.ts'

export async function run(given: Given<typeof ALERTS>): Promise<void> {
  if (given.action === 'add') return add(given)
  if (given.action === 'remove') return remove(given)
  const { account } = given
  const alerts =
    account === undefined
      ? await withOperatorDatabase((db) => listAlerts(db, { accountId: null }))
      : await withAccount(account, (db, accountId) => listAlerts(db, { accountId }))
  printRows(alerts, given)
}

/** Adds an alert as POST /alerts does, without its charge. */
async function add(given: GivenOf<typeof ALERTS, 'add'>): Promise<void> {
  const { type, subject, account, json } = given
  const fields = {
    type,
    [SUBJECTS[type]]: subject,
    above: numberOf(given.above),
    below: numberOf(given.below),
    changePercent: numberOf(given.change),
    windowSeconds: given.window,
    everySeconds: given.every,
    outcomeId: given.outcome,
    endpointId: given.endpoint,
  }
  const stated = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const id = await withAccount(account, async (db, accountId) => {
    const owner = { id: accountId, plan: await planOf(db, accountId) }
    const context = { db: db as unknown as ReadonlyDb, now: () => new Date() }
    const { write, alert } = await newAlert(context, { account: owner, body: parseAlert(stated) })
    await applyAlertWrite(db, { accountId, write })
    return alert.id
  }).catch((error: unknown) => {
    throw error instanceof ApiError ? new CommandError(error.message) : error
  })
  if (json) printRecord({ id }, given)
  else console.log(id)
}

async function remove(given: GivenOf<typeof ALERTS, 'remove'>): Promise<void> {
  const { id } = given
  if (!isUuid(id)) throw new UsageError(`"${id}" is not an id; see "sluice alerts list"`)
  const isGone = await withOperatorDatabase((db) => deleteAlert(db, { id }))
  if (!isGone) throw new CommandError(`no such alert: ${id}`)
  printDone({ removed: id }, null, given)
}

/** What is no number is refused by its type. */
const numberOf = (text: string | undefined): number | string | undefined =>
  text === undefined || text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
