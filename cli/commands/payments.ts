import { userInfo } from 'node:os'
import { noteRefund, readRefundNotes } from '../../db/console/refunds.ts'
import { countPayments, findPayment, listPayments } from '../../db/payments/operator-read.ts'
import { usdcOf } from '../../db/values/usdc.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { CommandError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printRecord, printRows, toJson } from '../print.ts'
import type { PAYMENTS } from '../specs/money.ts'

export async function run(given: Given<typeof PAYMENTS>): Promise<void> {
  if (given.action === 'note-refund') {
    const { id, note } = given
    const operator = userInfo().username
    const isNoted =
      isUuid(id.toLowerCase()) &&
      (await withOperatorDatabase((db) => noteRefund(db, { paymentId: id, note, operator })))
    if (!isNoted)
      throw new CommandError(`no payment ${id} that took money; see "sluice payments list --state settled"`)
    if (given.json) return printRecord({ payment: id, note }, given)
    return console.log('the refund is noted; it stands with the payment in the console')
  }
  if (given.action === 'show') {
    const { id } = given
    const found = isUuid(id.toLowerCase())
      ? await withOperatorDatabase(async (db) => {
          const payment = await findPayment(db, id)
          return payment && { ...inUsdc(payment), notes: await readRefundNotes(db, id) }
        })
      : undefined
    if (!found) throw new CommandError(`no payment ${id}; see "sluice payments list"`)
    return printRecord(given.json ? found : { ...found, notes: found.notes.join('; ') }, given)
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
