import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { wallets } from '../../sandbox/chain/actors.ts'
import type { NetworkId } from '../../sandbox/chain/tokens.ts'
import { fillChains, startChains } from '../sandbox/chains.ts'
import type { Chains } from '../sandbox/chains.ts'
import { testDatabase } from '../setup/database.ts'
import { chainTransfers } from './independent-transfers.ts'
import { seedSandboxCoins } from './seed-sandbox-coins.ts'
import { syncDirectly, testNetwork } from './sync-directly.ts'

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const folder = mkdtempSync(join(tmpdir(), 'sluice-chains-'))
const NETWORKS: NetworkId[] = ['ethereum', 'base-wallet']
let chains: Chains

beforeAll(async () => {
  await seedSandboxCoins(database.ownerUrl)
  chains = await startChains(folder)
  await fillChains(chains, { SANDBOX_SCALE: '0.1', SANDBOX_SEED: '5' })
})
afterAll(async () => {
  await close()
  await chains.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('sandbox wallets, synced from the node alone', () => {
  test('stored transfers are those of the chain: same count, same sums per token and wallet', async () => {
    for (const networkId of NETWORKS) {
      const network = await testNetwork(pool, { networkId, url: chains.rpcs[networkId].url })
      for (const { address } of wallets) {
        const { openings } = await syncDirectly({ pool, network, address })
        expect(openings).toBe(0)
      }
      const expected = await chainTransfers(
        chains.rpcs[networkId].url,
        wallets.map(({ address }) => address),
      )
      const { rows } = await pool.query<{
        kind: string
        token: string
        wallet: string
        count: number
        net: string
      }>(
        `select kind, coalesce(token_address, '') as token, wallet.address as wallet, count(*)::integer as count,
           sum(case when to_address = wallet.address then raw else 0 end
             - case when from_address = wallet.address then raw else 0 end) as net
         from transfers join wallets as wallet on wallet.address in (from_address, to_address)
         where network_id = $1 and kind <> 'approval' group by 1, 2, 3`,
        [networkId],
      )
      const text = (row: (typeof rows)[number]) =>
        `${row.kind} ${row.token} ${row.wallet} ${row.count} ${row.net}`
      expect(rows.length).toBeGreaterThan(20)
      expect(rows.map(text).sort()).toEqual(expected.map(text).sort())
    }
  })
})
