import { ponder } from 'ponder:registry'
import { transfers } from 'ponder:schema'

/** Position of the transfer of native coin, which has no log. */
const NATIVE = -1

for (const name of ['Sent:Transfer', 'Received:Transfer'] as const)
  ponder.on(name, async ({ event, context }) => {
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
  ponder.on(name, async ({ event, context }) => {
    await context.db
      .insert(transfers)
      .values({
        tx_hash: event.transaction.hash,
        log_index: NATIVE,
        block_number: event.block.number,
        block_hash: event.block.hash,
        at: event.block.timestamp,
        from_address: event.transaction.from,
        to_address: event.transaction.to,
        raw: event.transaction.value,
      })
      .onConflictDoNothing()
  })
