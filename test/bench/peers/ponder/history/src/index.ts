import { type IndexingFunctionArgs, ponder } from 'ponder:registry'
import { transactions, transfers } from 'ponder:schema'

const wallet = process.env['SENDER'] as `0x${string}`

for (const name of ['Sent:Transfer', 'Received:Transfer'] as const)
  ponder.on(name, async ({ event, context }) => {
    const { from, to } = event.transaction
    // The handler below stores transactions from and to the wallet, once each.
    if (from !== wallet && to !== wallet) await keepTransaction({ event, context })
    await context.db
      .insert(transfers)
      .values({
        tx_hash: event.transaction.hash,
        log_index: event.log.logIndex,
        block_number: event.block.number,
        block_hash: event.block.hash,
        at: event.block.timestamp,
        token_address: event.log.address,
        from_address: event.args.from,
        to_address: event.args.to,
        raw: event.args.value,
      })
      .onConflictDoNothing()
  })

for (const name of ['Wallet:transaction:from', 'Wallet:transaction:to'] as const)
  ponder.on(name, keepTransaction)

async function keepTransaction({
  event,
  context,
}: Pick<IndexingFunctionArgs<'Wallet:transaction:from'>, 'event' | 'context'>): Promise<void> {
  const { transaction, transactionReceipt: receipt, block } = event
  await context.db
    .insert(transactions)
    .values({
      hash: transaction.hash,
      block_number: block.number,
      block_hash: block.hash,
      at: block.timestamp,
      from_address: transaction.from,
      to_address: transaction.to,
      raw: transaction.value,
      fee: receipt.gasUsed * receipt.effectiveGasPrice,
      success: receipt.status === 'success',
    })
    .onConflictDoNothing()
}
