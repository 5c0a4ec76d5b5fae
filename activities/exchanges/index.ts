import { identifyAssets } from '../../db/exchanges/assets.ts'
import { storeBalances } from '../../db/exchanges/balances.ts'
import {
  completeExchangeSync,
  dueConnections,
  failExchangeSync,
  readCredentials,
} from '../../db/exchanges/connections.ts'
import { deriveLegs } from '../../db/exchanges/derive-legs.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { callExchange } from './call-exchange.ts'
import { createClients } from './ccxt-client.ts'
import { balancesOf, type ConnectInput, refuseUnavailable, tryCredentials } from './connect.ts'
import { openConnection } from './open-connection.ts'
import { syncStep, type SyncProgress, type SyncStepInput } from './sync-step.ts'

export interface ConnectionKey {
  connectionId: string
}

export type ExchangesActivities = ReturnType<typeof createExchangesActivities>

/** All activities of exchanges and exchange accounts. Decrypted credentials never leave this process. */
export function createExchangesActivities(deps: ActivityDeps) {
  const { pool, now, config } = deps
  const clients = createClients(deps)
  const open = (input: { connectionId: string; version: number | 'active' }) =>
    openConnection({ pool, exchangeKeys: config.exchangeKeys, clients }, input)

  return {
    /** Tries offered credentials at the exchange, unless they were superseded meanwhile. */
    async tryExchangeCredentials(input: ConnectInput): Promise<{ accepted: boolean }> {
      const offered = await readCredentials(pool, input)
      if (!offered) return { accepted: false }
      if (!config.sources[offered.exchange]) return refuseUnavailable(deps, input)
      return tryCredentials(deps, () => open(input), input)
    },

    /** Stores the current balances and returns the instant up to which to read the history. */
    async beginExchangeSync({ connectionId }: ConnectionKey): Promise<{ targetMs: number }> {
      const exchange = await open({ connectionId, version: 'active' })
      const balances = await callExchange(exchange, (client) => balancesOf(client, exchange.spec))
      const at = now()
      await transact(pool, ({ client }) =>
        storeBalances(client, { connectionId, balances, source: exchange.source, fetchedAt: at }),
      )
      return { targetMs: at.getTime() }
    },

    async syncExchangeStep(input: SyncStepInput): Promise<SyncProgress> {
      return syncStep(deps, await open({ connectionId: input.connectionId, version: 'active' }), input)
    },

    /** Coins and time range whose prices the account needs; null: it has no history */
    async identifyExchangeAssets({ connectionId }: ConnectionKey) {
      const at = now()
      const { coinIds, from } = await transact(pool, ({ client }) =>
        identifyAssets(client, { connectionId, at }),
      )
      return from && { coinIds, from: from.toISOString(), to: at.toISOString() }
    },

    async deriveExchangeLegs({ connectionId, targetMs }: SyncStepInput): Promise<{ legs: number }> {
      return deriveLegs(pool, { connectionId, statedAt: new Date(targetMs) })
    },

    async completeExchangeSync({ connectionId, targetMs }: SyncStepInput): Promise<void> {
      await completeExchangeSync(pool, { connectionId, coveredTo: new Date(targetMs) })
    },

    async failExchangeSync({ connectionId, failure }: ConnectionKey & { failure: string }): Promise<void> {
      await failExchangeSync(pool, { connectionId, failure })
    },

    async listDueExchanges(input: { olderThanSeconds: number; limit: number }): Promise<string[]> {
      return dueConnections(pool, input)
    },
  }
}
