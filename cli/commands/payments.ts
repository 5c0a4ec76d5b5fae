import { parseArgs } from 'node:util'
import { countPayments, findPayment, listPayments } from '../../db/payments/operator-read.ts'
import type { PaymentState } from '../../db/payments/tables.ts'
import { usdcOf } from '../../db/values/usdc.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { CommandError } from '../command.ts'
import { withOperatorDatabase } from '../operator-database.ts'

const USAGE = `sluice payments list [--state claimed|settling|settled|failed|unknown] [--limit 20]
sluice payments show ID
ID is one of "sluice payments list"`

const STATES: readonly string[] = [
  'claimed',
  'settling',
  'settled',
  'failed',
  'unknown',
] satisfies PaymentState[]
const LONGEST_LIST = 1_000

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { state: { type: 'string' }, limit: { type: 'string', default: '20' } },
  })
  const [action, id] = positionals
  switch (action) {
    case 'list':
      return list(values)
    case 'show':
      return show(id)
    default:
      throw new CommandError(USAGE)
  }
}

async function list({ state, limit }: { state?: string; limit: string }): Promise<number> {
  const count = Number(limit)
  if ((state !== undefined && !STATES.includes(state)) || !(count >= 1 && count <= LONGEST_LIST))
    throw new CommandError(USAGE)
  return withOperatorDatabase(async (db) => {
    const filter = { limit: Math.floor(count), ...(state && { state: state as PaymentState }) }
    const [payments, totals] = [await listPayments(db, filter), await countPayments(db)]
    console.table(payments.map(({ amount, ...payment }) => ({ ...payment, usdc: usdcOf(BigInt(amount)) })))
    console.table(totals.map(({ amount, ...total }) => ({ ...total, usdc: usdcOf(BigInt(amount)) })))
    return 0
  })
}

async function show(id: string | undefined): Promise<number> {
  if (id === undefined || !isUuid(id.toLowerCase())) throw new CommandError(USAGE)
  const payment = await withOperatorDatabase((db) => findPayment(db, id))
  if (!payment) throw new CommandError(`no payment ${id}; see sluice payments list`)
  console.table({ ...payment, usdc: usdcOf(BigInt(payment.amount)) })
  return 0
}
