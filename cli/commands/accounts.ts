import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { listAccounts, listTopUps } from '../../db/metering/operator-read.ts'
import type { PlanId } from '../../db/metering/tables.ts'
import { changePlan, createAccount, setDegen, topUp } from '../../db/metering/write.ts'
import { parseInstant } from '../../db/values/time.ts'
import { CommandError } from '../command.ts'
import { withAccount } from '../operator-account.ts'
import { withOperatorDatabase } from '../operator-database.ts'

const PLANS: readonly PlanId[] = ['free', 'starter', 'pro', 'enterprise']
/** SQLSTATE of `grant_credits`. */
const TOP_UP_REFUSED = 'SL002'
const USAGE = `sluice accounts create --name NAME --plan ${PLANS.join('|')} [--credits N] [--rps N]
sluice accounts set-plan --account ACCOUNT --plan PLAN
sluice accounts degen ACCOUNT on|off
sluice accounts top-up --account ACCOUNT --credits N [--until DATE] [--id ORDER]   (else to the end of the period)
sluice accounts top-ups --account ACCOUNT
sluice accounts list`

export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      plan: { type: 'string' },
      account: { type: 'string' },
      credits: { type: 'string' },
      rps: { type: 'string' },
      until: { type: 'string' },
      id: { type: 'string' },
    },
  })
  const { name, account } = values
  switch (positionals[0]) {
    case 'create': {
      if (!name) throw new CommandError(USAGE)
      const plan = planOf(values.plan)
      const limits = {
        ...(values.credits !== undefined && { creditsPerMonth: BigInt(numberOf(values.credits)) }),
        ...(values.rps !== undefined && { requestsPerSecond: numberOf(values.rps) }),
      }
      const created = await withOperatorDatabase((db) => createAccount(db, { name, plan, ...limits }))
      console.log(created.accountId)
      return
    }
    case 'set-plan': {
      if (!account) throw new CommandError(USAGE)
      const plan = planOf(values.plan)
      await withAccount(account, (db, accountId) => changePlan(db, { accountId, plan }))
      console.log(`${account} is on ${plan} now`)
      return
    }
    case 'degen': {
      const [, idOrName, state] = positionals
      if (!idOrName || (state !== 'on' && state !== 'off')) throw new CommandError(USAGE)
      await withAccount(idOrName, (db, accountId) => setDegen(db, { accountId, degen: state === 'on' }))
      console.log(`Degen of ${idOrName} is ${state} now`)
      return
    }
    case 'top-up': {
      if (!account || values.credits === undefined) throw new CommandError(USAGE)
      const expiresAt = values.until === undefined ? undefined : instantOf(values.until)
      const grant = { id: values.id ?? randomUUID(), credits: BigInt(numberOf(values.credits)) }
      const added = await withAccount(account, (db, accountId) =>
        topUp(db, { ...grant, accountId, ...(expiresAt && { expiresAt }) }),
      ).catch((error: Error & { code?: unknown }) => {
        throw error.code === TOP_UP_REFUSED ? new CommandError(error.message) : error
      })
      const until = `valid until ${added.expiresAt.toISOString()}`
      console.log(
        `${added.added ? 'added' : 'was added before'}: ${grant.credits} credits, ${until}, id ${grant.id}`,
      )
      return
    }
    case 'top-ups':
      if (!account) throw new CommandError(USAGE)
      console.table(await withAccount(account, (db, accountId) => listTopUps(db, { accountId })))
      return
    case 'list':
      console.table(await withOperatorDatabase(listAccounts))
      return
    default:
      throw new CommandError(USAGE)
  }
}

function planOf(text: string | undefined): PlanId {
  const plan = PLANS.find((known) => known === text)
  if (!plan) throw new CommandError(`--plan is one of ${PLANS.join(', ')}`)
  return plan
}

function instantOf(text: string): Date {
  const at = parseInstant(text)
  if (!at) throw new CommandError(`not a date or RFC 3339 timestamp: ${text}`)
  return at
}

function numberOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new CommandError(`not a whole number: ${text}`)
  return Number(text)
}
