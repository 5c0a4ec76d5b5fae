import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { listAccounts, listTopUps } from '../../db/metering/operator-read.ts'
import { addCredits as addTo, movePlan, openAccount } from '../../db/console/accounts.ts'
import { doNoted } from '../../db/console/note-action.ts'
import { setDegen } from '../../db/metering/write.ts'
import { CommandError } from '../command.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import { withAccount } from '../operator-account.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printRecord, printRows } from '../print.ts'
import type { ACCOUNTS } from '../specs/accounts.ts'

/** SQLSTATE of `grant_credits`. */
const TOP_UP_REFUSED = 'SL002'

export async function run(given: Given<typeof ACCOUNTS>): Promise<void> {
  const operator = userInfo().username
  switch (given.action) {
    case 'create': {
      const { name, plan, credits, rps, json } = given
      const limits = {
        ...(credits !== undefined && { creditsPerMonth: BigInt(credits) }),
        ...(rps !== undefined && { requestsPerSecond: rps }),
      }
      const created = await withOperatorDatabase((db) => openAccount(db, { name, plan, ...limits, operator }))
      if (json) printRecord(created, given)
      else console.log(created.accountId)
      return
    }
    case 'set-plan': {
      const { account, plan } = given
      await withAccount(account, (db, accountId) => movePlan(db, { accountId, plan, operator }))
      if (given.json) printRecord({ account, plan }, given)
      else console.log(`${account} has the plan ${plan}`)
      return
    }
    case 'degen': {
      const { account, state } = given
      await withAccount(account, (db, accountId) =>
        doNoted(db, { operator, action: `turn Degen ${state}`, subject: accountId }, () =>
          setDegen(db, { accountId, degen: state === 'on' }),
        ),
      )
      if (given.json) printRecord({ account, degen: state === 'on' }, given)
      else console.log(`Degen of ${account} is ${state}`)
      return
    }
    case 'top-up':
      return addCredits(given, operator)
    case 'top-ups':
      printRows(await withAccount(given.account, (db, accountId) => listTopUps(db, { accountId })), given)
      return
    case 'list':
      printRows(await withOperatorDatabase(listAccounts), given)
  }
}

async function addCredits(given: GivenOf<typeof ACCOUNTS, 'top-up'>, operator: string): Promise<void> {
  const grant = { id: given.id ?? randomUUID(), credits: BigInt(given.credits) }
  const added = await withAccount(given.account, (db, accountId) =>
    addTo(db, { ...grant, accountId, operator, ...(given.until && { expiresAt: given.until }) }),
  ).catch((error: Error & { code?: unknown }) => {
    throw error.code === TOP_UP_REFUSED ? new CommandError(error.message) : error
  })
  if (given.json) return printRecord({ ...grant, ...added }, given)
  const until = `valid until ${added.expiresAt.toISOString()}`
  console.log(
    `${added.added ? 'added' : 'added already'}: ${grant.credits} credits, ${until}, id ${grant.id}`,
  )
}
