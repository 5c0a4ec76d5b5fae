import { setTimeout as sleep } from 'node:timers/promises'
import { type TailedEvent, tailEvents } from '../../db/events/tail-events.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { UsageError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import type { EVENTS } from '../specs/watch.ts'

const POLL_MS = 500
const PAGE = 500

/** Prints the newest events of accounts, and with --follow those that come until it is stopped. */
export async function run(given: Given<typeof EVENTS>): Promise<void> {
  const { account, limit, follow, json } = given
  if (account !== undefined && !isUuid(account)) throw new UsageError('--account takes the id of an account')
  const accountId = account ?? null
  const print = (events: readonly TailedEvent[]) => {
    for (const event of events) console.log(json ? event.body : lineOf(event))
  }
  await withOperatorDatabase(async (db) => {
    let events = await tailEvents(db, { accountId, after: null, limit })
    let after = events.at(-1)?.seq ?? '0'
    print(events)
    while (follow) {
      events = await tailEvents(db, { accountId, after, limit: PAGE })
      after = events.at(-1)?.seq ?? after
      print(events)
      if (events.length < PAGE) await sleep(POLL_MS)
    }
  })
}

const lineOf = ({ seq, at, type, accountId, subject }: TailedEvent): string =>
  [seq, at.toISOString(), accountId, type, subject ?? ''].join('  ').trimEnd()
