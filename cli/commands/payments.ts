import { countPayments, findPayment, listPayments } from '../../db/payments/operator-read.ts'
import { usdcOf } from '../../db/values/usdc.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { CommandError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printRecord, printRows, toJson } from '../print.ts'
import type { PAYMENTS } from '../specs/money.ts'

export async function run(given: Given<typeof PAYMENTS>): Promise<void> {
  if (given.action === 'show') {
    const { id } = given
    const payment = isUuid(id.toLowerCase())
      ? await withOperatorDatabase((db) => findPayment(db, id))
      : undefined
    if (!payment) throw new CommandError(`no payment ${id}; see "sluice payments list"`)
    return printRecord(inUsdc(payment), given)
  }
  const { state, limit, json } = given
  await withOperatorDatabase(async (db) => {
    const payments = (await listPayments(db, { limit, ...(state && { state }) })).map(inUsdc)
    const totals = (await countPayments(db)).map(inUsdc)
    if (json) return console.log(toJson({ payments, totals }))
    printRows(payments, given)
    console.log()
    printRows(totals, given)
  })
}

const inUsdc = <T extends { amount: string }>({ amount, ...payment }: T) => ({
  ...payment,
  usdc: usdcOf(BigInt(amount)),
})
