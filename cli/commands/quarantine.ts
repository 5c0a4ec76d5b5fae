import { userInfo } from 'node:os'
import type { Db, ReadonlyDb } from '../../db/schema.ts'
import { retryQuarantined } from '../../db/console/operator.ts'
import {
  readQuarantineCounts,
  readQuarantinedItem,
  readQuarantinedItems,
} from '../../db/console/read-quarantine.ts'
import { dropQuarantined } from '../../db/sources/drop-quarantined.ts'
import { CommandError, UsageError } from '../command.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printRecord, printRows, toJson } from '../print.ts'
import type { QUARANTINE } from '../specs/watch.ts'

type Spec = typeof QUARANTINE

/** Characters of the payload that are printed; --json prints all. */
const SHOWN_CHARACTERS = 4_000
/** Rows that one command retries. */
const MOST_RETRIES = 1_000

export function run(given: Given<Spec>): Promise<void> {
  return withOperatorDatabase(async (db) => {
    switch (given.action) {
      case 'list':
        return list(db, given)
      case 'show':
        return show(db, given)
      case 'retry':
        return retry(db, given)
      case 'drop':
        return drop(db, given)
    }
  })
}

/**
 * Runs the console's statements as the owner: the console's own role does not see reasons that could reveal a
 * tenant.
 */
const asReader = (db: Db) => db as unknown as ReadonlyDb

async function list(db: Db, given: GivenOf<Spec, 'list'>): Promise<void> {
  const { source, reason, limit } = given
  if (source === undefined && reason === undefined)
    return printRows(await readQuarantineCounts(asReader(db)), given)
  const filter = { ...(source !== undefined && { source }), ...(reason !== undefined && { reason }), limit }
  const items = await readQuarantinedItems(asReader(db), filter)
  if (given.json) return console.log(toJson(items))
  printRows(
    items.map(({ id, source: from, reason: why, fetchedAt, activity, retryState }) => ({
      id,
      source: from,
      'fetched at': fetchedAt,
      reason: why.slice(0, 80),
      retry: retryState ?? (activity === null ? 'not possible' : 'possible'),
    })),
    given,
  )
}

async function show(db: Db, given: GivenOf<Spec, 'show'>): Promise<void> {
  const id = idOf(given.id)
  const item = await readQuarantinedItem(asReader(db), {
    id,
    characters: given.json ? 2 ** 30 : SHOWN_CHARACTERS,
  })
  if (!item) throw new CommandError(`no quarantined row ${id}; see "sluice quarantine list --source SOURCE"`)
  const { payload, isCut, ...facts } = item
  if (given.json) return console.log(toJson({ ...facts, payload: JSON.parse(payload) as unknown }))
  printRecord(facts, given)
  console.log(`\n${payload}${isCut ? '\n... (--json prints all of it)' : ''}`)
}

async function retry(db: Db, given: GivenOf<Spec, 'retry'>): Promise<void> {
  const ids = given.id === undefined ? await retriable(db, filterOf(given)) : [idOf(given.id)]
  const operator = userInfo().username
  let asked = 0
  for (const id of ids) if (await retryQuarantined(asReader(db), { id, operator })) asked++
  if (given.json) return printRecord({ asked, left: ids.length - asked }, given)
  if (asked === 0)
    throw new CommandError(
      'nothing was retried: the row is gone, cannot be retried, or is being retried; see "sluice quarantine list". ' +
        'Rows of an exchange come with "sluice exchanges read-again", fills of a prediction market with "sluice prediction read-again"',
    )
  console.log(`retrying ${asked}; rows that now pass leave "sluice quarantine list" within moments`)
}

async function retriable(db: Db, { source, reason }: ReturnType<typeof filterOf>): Promise<string[]> {
  const filter = { ...(source !== undefined && { source }), ...(reason !== undefined && { reason }) }
  const items = await readQuarantinedItems(asReader(db), { ...filter, limit: MOST_RETRIES })
  return items.filter(({ activity }) => activity !== null).map(({ id }) => id)
}

async function drop(db: Db, given: GivenOf<Spec, 'drop'>): Promise<void> {
  const { source, reason } = given
  const filter = given.id === undefined ? filterOf(given) : { id: idOf(given.id), source, reason }
  const dryRun = given['dry-run']
  const dropped = await dropQuarantined(db, { filter, dryRun })
  if (given.json) return printRecord({ dropped, dryRun }, given)
  console.log(`${dropped} rows ${dryRun ? 'would be' : 'are'} deleted`)
}

function filterOf({ source, reason }: { source: string | undefined; reason: string | undefined }) {
  if (source === undefined && reason === undefined)
    throw new UsageError('give an ID, a --source or a --reason')
  return { source, reason }
}

function idOf(text: string): string {
  if (!/^\d{1,18}$/.test(text))
    throw new UsageError(`the id must be a number, as in "sluice quarantine list", not "${text}"`)
  return text
}
