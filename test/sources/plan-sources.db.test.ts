import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { AREAS } from '../../activities/all-areas.ts'
import { readIngestConfig } from '../../activities/config.ts'
import { planRequests } from '../../activities/plan-requests.ts'
import { allSourceSettings } from '../../activities/source-settings.ts'
import { openDb } from '../../db/connect.ts'
import type { Db } from '../../db/schema.ts'
import { EXCHANGES } from '../../db/values/exchanges.ts'
import { NETWORKS } from '../../db/values/networks.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// `sluice plan` counts what a live installation asks: each source has a line, or a reason here.

const database = await testDatabase()
const { db, close } = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
afterAll(close)

/** Sources that are asked for nothing at intervals, and why. */
const NOT_PLANNED: Record<string, string> = {
  'coinbase-candles':
    'Hours of a coin that DefiLlama does not give: how many is known once they were asked for.',
  'kraken-ohlc': 'As Coinbase, for coins that it does not trade either.',
  ipfs: 'Metadata of a token, once, when a wallet has it. The content never changes.',
  'metadata-proxy': 'As IPFS, for tokens whose metadata is elsewhere.',
}

const specs = AREAS.flatMap(({ sources }) => sources)

/** All sources that may be on. */
const ALL: Record<string, string> = {
  SOURCES: 'live',
  FOLLOW_NETWORKS: 'none',
  ...Object.fromEntries(
    specs.flatMap(({ name, urlVariable, defaultUrl, key }) => [
      ...(defaultUrl === null ? [[urlVariable, `https://${name}.example`]] : []),
      ...(key ? [[key.variable, name === 'goplus' ? 'a:b' : 'k']] : []),
    ]),
  ),
}

/** With all sources but the named ones, where others stand in for them. */
async function planned(stored: Db | null, without: readonly string[]): Promise<string[]> {
  const config = readIngestConfig(ALL)
  const sources = Object.fromEntries(
    Object.entries(config.sources).filter(([name]) => !without.includes(name)),
  )
  const plan = await planRequests(stored, {
    config: { ...config, sources },
    settings: allSourceSettings(ALL),
  })
  return plan.sources.map(({ source }) => source)
}

test('each source has a line in the plan, or a reason why not', async () => {
  const [account] = await query<{ id: string }>(
    database.ownerUrl,
    `insert into accounts (name, plan) values ('one', 'pro') returning id`,
  )
  for (const { id } of EXCHANGES)
    await query(
      database.ownerUrl,
      `insert into exchange_connections (id, account_id, venue, fingerprint, version, active_version)
       values ($1, $2, $3, $4, 1, 1)`,
      [randomUUID(), account!.id, id, randomBytes(32)],
    )
  await query(database.ownerUrl, 'update networks set active = true')
  await query(database.ownerUrl, `insert into wallets (address) values ('one')`)
  await query(
    database.ownerUrl,
    `insert into wallet_syncs (wallet_id, network_id, head_block)
     select wallets.id, networks.id, 1 from wallets, networks`,
  )
  await query(
    database.ownerUrl,
    `insert into defi_reads (wallet_id, network_id, source, is_holder, complete_at, fetched_at, block_number, block_hash, block_at)
     select id, 'ethereum', 'rpc:ethereum', true, now(), now(), 1, '0x01', now() from wallets`,
  )

  const found = new Set<string>()
  const first = ['etherscan', 'coingecko', 'frankfurter', 'opensea', 'alternative-me']
  for (const without of [[], first, [...first, 'blockscout', 'ecb']])
    for (const stored of [null, db]) for (const one of await planned(stored, without)) found.add(one)

  const named = specs.map(({ name }) => name)
  expect(named.filter((name) => !found.has(name) && !(name in NOT_PLANNED))).toEqual([])
  // A reason does not outlive its source or its line.
  expect(Object.keys(NOT_PLANNED).filter((name) => !named.includes(name) || found.has(name))).toEqual([])
  // Nodes are asked for positions.
  expect([...found].filter((name) => name.startsWith('ethereum '))).toHaveLength(1)
  // Each kind of network has wallets in the plan.
  const { counts } = await planRequests(db, {
    config: readIngestConfig(ALL),
    settings: allSourceSettings(ALL),
  })
  for (const { name } of NETWORKS) expect(counts[`wallets on ${name}`]).toBe(1)
})

test('accounts at exchanges ask for their balances and lists every five minutes, and for markets every hour', async () => {
  const env = { SOURCES: 'live' }
  const { sources } = await planRequests(null, {
    config: readIngestConfig(env),
    settings: allSourceSettings(env),
  })
  const kraken = sources.find(({ source }) => source === 'kraken')!
  const lines = kraken.askings.map(({ what, requests, seconds, borne }) => [what, requests, seconds, borne])
  expect(lines).toEqual([
    ['accounts at Kraken', 288 * 3, 300, 1],
    ['markets', 72, 3_600, 1],
  ])
})

test('positions of up to fifty wallets on Ethereum cost nine calls of a node every five minutes', async () => {
  const env = { SOURCES: 'live', RPC_URL_ETHEREUM: 'https://eth-mainnet.g.alchemy.com/v2/key' }
  const { sources } = await planRequests(null, {
    config: readIngestConfig(env),
    settings: allSourceSettings(env),
  })
  const node = sources.find(({ source }) => source === 'ethereum eth-mainnet.g.alchemy.com')!
  expect(node).toMatchObject({ units: 288 * 9 * 26, unit: 'compute units' })
  expect(node.askings).toMatchObject([{ what: 'positions on Ethereum', requests: 288 * 9, seconds: 300 }])
})
