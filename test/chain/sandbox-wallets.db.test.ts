import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBlockscout } from '../../activities/chain/sources/blockscout.ts'
import { createEtherscan } from '../../activities/chain/sources/etherscan.ts'
import type { Explorer } from '../../activities/chain/sources/explorer.ts'
import { createHttpClient } from '../../activities/http.ts'
import type { HttpClient } from '../../activities/http-client.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { openDb } from '../../db/connect.ts'
import { wallets } from '../../sandbox/chain/actors.ts'
import type { NetworkId } from '../../sandbox/chain/tokens.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { createWorld } from '../../sandbox/world.ts'
import { fillChains, startChains } from '../sandbox/chains.ts'
import type { Chains } from '../sandbox/chains.ts'
import { testDatabase } from '../setup/database.ts'
import { chainTransfers } from './independent-transfers.ts'
import { seedSandboxCoins } from './seed-sandbox-coins.ts'
import { storedTransfers, sumText } from './stored-transfers.ts'
import { syncDirectly, testNetwork } from './sync-directly.ts'

const NETWORKS: NetworkId[] = ['ethereum', 'base-wallet']
const databases = [await testDatabase(), await testDatabase(), await testDatabase()]
const [byNode, byEtherscan, byBlockscout] = databases.map(({ ingestUrl }) =>
  openDb({ url: ingestUrl, maxConnections: 4, applicationName: 'test' }),
) as [ReturnType<typeof openDb>, ReturnType<typeof openDb>, ReturnType<typeof openDb>]
const folder = mkdtempSync(join(tmpdir(), 'sluice-chains-'))
const addresses = wallets.map(({ address }) => address)
let chains: Chains
let server: ReturnType<typeof createSandboxServer>
let sandboxUrl: string
let http: HttpClient

beforeAll(async () => {
  for (const { ownerUrl } of databases) await seedSandboxCoins(ownerUrl)
  chains = await startChains(folder)
  await fillChains(chains, { SANDBOX_SCALE: '0.1', SANDBOX_SEED: '5' })
  const rpcUrls = NETWORKS.map((networkId) => [networkId, chains.rpcs[networkId].url] as const)
  const mounts = createWorld({ seed: 5, anchor: Math.floor(Date.now() / 1_000), rpcUrls })
  server = createSandboxServer({ mounts, faults: createFaults(), nowMs: Date.now })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  sandboxUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const limit = { requestsPerSecond: 400, burst: 50 }
  const gate = createSourceGate({ db: byNode.db, limits: { etherscan: limit, blockscout: limit } })
  const sources = { etherscan: { url: sandboxUrl }, blockscout: { url: sandboxUrl } }
  http = createHttpClient({ gate, sources, random: Math.random })
})
afterAll(async () => {
  await http.close()
  server.closeAllConnections()
  server.close()
  await Promise.all([byNode.close(), byEtherscan.close(), byBlockscout.close()])
  await chains.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function syncAll(pool: pg.Pool, explorer?: Explorer): Promise<void> {
  for (const networkId of NETWORKS) {
    const url = chains.rpcs[networkId].url
    const network = await testNetwork(pool, { networkId, url, ...(explorer && { explorer }) })
    for (const address of addresses) {
      const { openings } = await syncDirectly({ pool, network, address })
      // Every balance on the chain is the sum of its movements.
      expect(openings).toBe(0)
    }
  }
}

describe('sandbox wallets', () => {
  test('the node alone gives the transfers of the chain, with equal counts and sums per token and wallet', async () => {
    await syncAll(byNode.pool)
    for (const networkId of NETWORKS) {
      const expected = await chainTransfers(chains.rpcs[networkId].url, addresses)
      const stored = await storedTransfers(byNode.pool, networkId)
      expect(stored.length).toBeGreaterThan(20)
      expect(stored.map(sumText).sort()).toEqual(expected.map(sumText).sort())
    }
  })

  test('both explorers give the same rows as the node', async () => {
    const url = `${sandboxUrl}/etherscan/v2/api`
    await syncAll(byEtherscan.pool, createEtherscan({ http, url, key: 'test' }))
    expect(await contents(byEtherscan.pool)).toEqual(await contents(byNode.pool))
    await syncAll(byBlockscout.pool, createBlockscout({ http, url: `${sandboxUrl}/blockscout`, key: 'test' }))
    expect(await contents(byBlockscout.pool)).toEqual(await contents(byNode.pool))
  })

  test('a second sync changes nothing', async () => {
    const before = await contents(byNode.pool)
    await syncAll(byNode.pool)
    expect(await contents(byNode.pool)).toEqual(before)
  })

  test('tokens are identified by contract; impersonations, advertisements and multisends are spam', async () => {
    const { rows } = await byNode.pool.query<{
      address: string
      coin_id: string
      spam_reason: string | null
    }>(`select address, coin_id, spam_reason, symbol, decimals from tokens where network_id = 'ethereum'`)
    const token = (address: string) => rows.find((row) => row.address === address)
    expect(token('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48')).toMatchObject({
      coin_id: 'usd-coin',
      spam_reason: null,
      symbol: 'USDC',
      decimals: 6,
    })
    // Maker returns bytes32.
    expect(token('0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2')).toMatchObject({
      coin_id: 'maker',
      symbol: 'MKR',
    })
    expect(token('0x0b5c000000000000000000000000000000000004')).toMatchObject({
      symbol: null,
      decimals: null,
      spam_reason: 'multisend',
    })
    expect(token('0x5ba4000000000000000000000000000000000001')).toMatchObject({ spam_reason: 'advertises' })
    expect(token('0x5ba4000000000000000000000000000000000002')).toMatchObject({
      coin_id: '0x5ba4000000000000000000000000000000000002_ethereum',
      spam_reason: 'impersonates',
    })
    const noted = await byNode.pool.query<{ same: boolean; count: number }>(
      `select count(*)::integer as count, bool_and(spam is not null and moved is not null) as same
       from wallet_spam as spam full join (select distinct wallet_id, network_id, coin_id from movements where role = 'spam') as moved
         using (wallet_id, network_id, coin_id)`,
    )
    expect(noted.rows[0]!.same).toBe(true)
    expect(noted.rows[0]!.count).toBeGreaterThan(2)
    const airdrops = await byNode.pool.query(`select distinct coin_id from movements where role = 'airdrop'`)
    expect(airdrops.rows).toEqual([{ coin_id: 'sluice-drop' }])
  })

  test('each movement has the last price at or before its instant', async () => {
    const { rows } = await byNode.pool.query<{ wrong: number; priced: number }>(
      `select count(*)::integer as priced, count(*) filter (where not exists (
         select from price_days as point where point.coin_id = leg.coin_id and point.at = leg.price_at
           and point.usd = leg.price_usd and leg.at >= point.at and leg.at < point.at + interval '1 day'
       ))::integer as wrong from movements as leg where price_usd is not null`,
    )
    expect(rows[0]!.priced).toBeGreaterThan(100)
    expect(rows[0]!.wrong).toBe(0)
    const unpriced = await byNode.pool.query(
      `select distinct coin_id from movements where price_usd is null and coin_id in (select id from coins)`,
    )
    expect(unpriced.rows).toEqual([])
  })
})

/** All rows without ids, sources and fetch times. */
async function contents(pool: pg.Pool) {
  const { rows } = await pool.query(
    `select
       (select string_agg(t::text, E'\n' order by t::text) from (
          select network_id, hash, block_hash, at, tx_index, from_address, value, fee, success from transactions) as t) as transactions,
       (select string_agg(t::text, E'\n' order by t::text) from (
          select network_id, tx_hash, kind, position, item, token_address, token_id, from_address, to_address, raw, fan_out
          from transfers) as t) as transfers,
       (select string_agg(t::text, E'\n' order by t::text) from (
          select network_id, address, symbol, name, decimals, coin_id, spam_reason from tokens) as t) as tokens,
       (select string_agg(t::text, E'\n' order by t::text) from (
          select wallet.address, network_id, at, hash, type, coin_ids, identified, main_coin_id, main_count,
            main_value_usd, fragment
          from wallet_transactions join wallets as wallet on wallet.id = wallet_id) as t) as wallet_transactions,
       (select string_agg(t::text, E'\n' order by t::text) from (
          select wallet.address, network_id, tx_hash, seq, role, coin_id, raw, decimals, price_usd
          from movements join wallets as wallet on wallet.id = wallet_id) as t) as movements,
       (select string_agg(t::text, E'\n' order by t::text) from (
          select wallet.address, network_id, coin_id, raw, decimals
          from balances join wallets as wallet on wallet.id = wallet_id) as t) as balances`,
  )
  return rows[0]
}
