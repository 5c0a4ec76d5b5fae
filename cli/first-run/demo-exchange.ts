import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../db/schema.ts'
import { hashApiKey } from '../../db/values/api-key.ts'
import type { Send } from './demo-api.ts'

/** The account at the simulated Binance of sandbox/exchanges/keys.ts. The keys are worthless elsewhere. */
const DEMO = {
  connectionId: 'binance',
  connectionFields: { apiKey: 'sandbox-binance-reader', apiSecret: 'sandbox-binance-reader-secret' },
  name: 'Demo',
}

/**
 * Connects the exchange of the demo account if needed and waits for its sync. Returns the portfolio id; null:
 * not in time.
 */
export async function demoExchange(options: {
  send: Send
  key: string
  db: Db
  deadlineMs: number
}): Promise<string | null> {
  const { send, key, db, deadlineMs } = options
  const there = await db
    .selectFrom('exchange_connections as connection')
    .innerJoin('api_keys', 'api_keys.account_id', 'connection.account_id')
    .where('api_keys.hash', '=', hashApiKey(key))
    .where('venue', '=', DEMO.connectionId)
    .where('connection.name', '=', DEMO.name)
    .where('synced_at', 'is not', null)
    .select('connection.id')
    .executeTakeFirst()
  if (there) return there.id
  const { portfolio } = (await send('POST', '/exchange/balance', DEMO)) as { portfolio: { id: string } }
  // The sync is refused, and retried, until the worker has tried the credentials.
  await send('PATCH', `/exchange/sync?portfolioId=${portfolio.id}`)
  for (; Date.now() < deadlineMs; await sleep(300)) {
    const row = await db
      .selectFrom('exchange_connections')
      .select('synced_at')
      .where('id', '=', portfolio.id)
      .executeTakeFirst()
    if (row?.synced_at) return portfolio.id
  }
  return null
}
