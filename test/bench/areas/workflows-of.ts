import type pg from 'pg'
import { AREAS } from '../../../activities/all-areas.ts'
import type { Db } from '../../../db/schema.ts'
import { createVault } from '../../../db/exchanges/vault.ts'
import { createAccount } from '../../../db/metering/write.ts'
import { wallets } from '../../../sandbox/chain/actors.ts'
import { binanceKeys, krakenKeys } from '../../../sandbox/exchanges/keys.ts'

interface Started {
  id: string
  workflow: string
  input: unknown
}

/**
 * The workflows that the schedules of an area start, plus the syncs of wallets and exchange accounts that
 * clients request.
 */
export async function workflowsOf(
  area: string,
  owner: { db: Db; pool: pg.Pool; sealKey: string },
): Promise<Started[]> {
  if (area === 'chain')
    return wallets.map(({ address }) => ({
      id: `sync-${address}`,
      workflow: 'syncWallet',
      input: { address, networkId: 'ethereum' },
    }))
  if (area !== 'exchanges') return [...AREAS.find(({ name }) => name === area)!.schedules]
  const vault = createVault({ pool: owner.pool, publicKey: owner.sealKey })
  const { accountId } = await createAccount(owner.db, { name: 'bench', plan: 'starter' })
  const accounts = [
    { exchange: 'binance', credentials: binanceKeys[0]! },
    { exchange: 'kraken', credentials: krakenKeys[0]! },
  ]
  const all: Started[] = []
  for (const { exchange, credentials } of accounts) {
    const offered = await vault.offer({
      accountId,
      exchange,
      name: null,
      known: undefined,
      now: new Date(),
      credentials: { apiKey: credentials.apiKey, apiSecret: credentials.apiSecret },
    })
    const { connectionId } = offered!
    all.push(
      { id: `connect-${connectionId}`, workflow: 'connectExchange', input: offered },
      { id: `exchange-${connectionId}`, workflow: 'syncExchange', input: { connectionId } },
    )
  }
  return all
}
