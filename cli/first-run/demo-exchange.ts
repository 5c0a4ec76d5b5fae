import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../db/connect.ts'

/** The account at the simulated Binance, as sandbox/exchanges/keys.ts has it. It opens nothing anywhere else. */
const DEMO = {
  connectionId: 'binance',
  connectionFields: { apiKey: 'sandbox-binance-reader', apiSecret: 'sandbox-binance-reader-secret' },
  name: 'Demo',
}

/** Connects the demo account's exchange and waits until it is synced. Answers its portfolio id; null: not in time. */
export async function demoExchange(options: {
  apiUrl: string
  key: string
  db: Db
  deadlineMs: number
}): Promise<string | null> {
  const { apiUrl, key, db, deadlineMs } = options
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const connected = await fetch(`${apiUrl}/exchange/balance`, {
    ...{ method: 'POST', headers, body: JSON.stringify(DEMO) },
  })
  if (!connected.ok) return null
  const { portfolio } = (await connected.json()) as { portfolio: { id: string } }
  // Credentials that the worker has not tried yet cannot be synced: it says so with 404.
  for (let asked = false; Date.now() < deadlineMs; await sleep(300)) {
    if (!asked)
      asked = (
        await fetch(`${apiUrl}/exchange/sync?portfolioId=${portfolio.id}`, { method: 'PATCH', headers })
      ).ok
    const row = await db
      .selectFrom('exchange_connections')
      .select('synced_at')
      .where('id', '=', portfolio.id)
      .executeTakeFirst()
    if (row?.synced_at) return portfolio.id
  }
  return null
}
