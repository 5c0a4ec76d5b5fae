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
import { storedTransfers, sumText } from './stored-transfers.ts'
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
      const stored = await storedTransfers(pool, networkId)
      expect(stored.length).toBeGreaterThan(20)
      expect(stored.map(sumText).sort()).toEqual(expected.map(sumText).sort())
    }
  })
})
