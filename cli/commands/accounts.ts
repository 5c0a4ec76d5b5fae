import { parseArgs } from 'node:util'
import { listAccounts } from '../../db/metering/operator-read.ts'
import type { PlanId } from '../../db/metering/tables.ts'
import { changePlan, createAccount, setDegen } from '../../db/metering/write.ts'
import { CommandError } from '../command.ts'
import { withAccount } from '../operator-account.ts'
import { withOperatorDatabase } from '../operator-database.ts'

const PLANS: readonly PlanId[] = ['free', 'starter', 'pro', 'enterprise']
const USAGE = `sluice accounts create --name NAME --plan ${PLANS.join('|')} [--credits N] [--rps N]
sluice accounts set-plan --account ACCOUNT --plan PLAN
sluice accounts degen ACCOUNT on|off
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

function numberOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new CommandError(`not a whole number: ${text}`)
  return Number(text)
}
