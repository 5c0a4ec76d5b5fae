import { ponder } from 'ponder:registry'
import { transfers } from 'ponder:schema'

ponder.on('Token:Transfer', async ({ event, context }) => {
  await context.db.insert(transfers).values({
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
})
