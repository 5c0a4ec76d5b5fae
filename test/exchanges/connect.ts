import type { createExchangesActivities } from '../../activities/exchanges/index.ts'
import { openDb } from '../../db/connect.ts'
import { createVault } from '../../db/exchanges/vault.ts'
import { createAccount } from '../../db/metering/write.ts'
import type { ExchangeKey } from '../../sandbox/exchanges/keys.ts'
import type { TestDatabase } from '../setup/database.ts'

type Activities = ReturnType<typeof createExchangesActivities>

/** Connects a new account: stores credentials as the API does and tries them. */
export async function connectAccount(
  database: TestDatabase,
  options: { activities: Activities; exchange: string; key: ExchangeKey; publicKey: string },
) {
  const { activities, exchange, key, publicKey } = options
  const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  const meter = openDb({ url: database.meterUrl, maxConnections: 1, applicationName: 'test' })
  try {
    const { accountId } = await createAccount(owner.db, { name: 'test', plan: 'pro' })
    const vault = createVault({ pool: meter.pool, publicKey })
    const offered = await vault.offer({
      accountId,
      exchange,
      name: null,
      known: undefined,
      now: new Date(),
      credentials: { apiKey: key.apiKey, apiSecret: key.apiSecret },
    })
    const { accepted } = await activities.tryExchangeCredentials(offered!)
    return { accountId, accepted, ...offered! }
  } finally {
    await Promise.all([owner.close(), meter.close()])
  }
}

/** Runs the steps of the workflow without Temporal. Returns the number of pages. */
export async function syncDirectly(
  activities: Activities,
  connectionId: string,
  ensurePrices?: (coins: { coinIds: string[]; from: string; to: string }) => Promise<unknown>,
): Promise<number> {
  const { targetMs } = await activities.beginExchangeSync({ connectionId })
  let pages = 0
  for (let done = false; !done;) {
    const progress = await activities.syncExchangeStep({ connectionId, targetMs })
    ;({ done } = progress)
    pages += progress.pages
  }
  const coins = await activities.identifyExchangeAssets({ connectionId })
  if (coins) await ensurePrices?.(coins)
  await activities.deriveExchangeLegs({ connectionId, targetMs })
  await activities.completeExchangeSync({ connectionId, targetMs })
  return pages
}
