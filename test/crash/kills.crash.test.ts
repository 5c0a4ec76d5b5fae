import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForPrices } from '../../cli/first-run/wait-for-data.ts'
import { openDb } from '../../db/connect.ts'
import { createAccount, createKey } from '../../db/metering/write.ts'
import { wallets } from '../../sandbox/chain/actors.ts'
import { createRandom } from '../../sandbox/chain/random.ts'
import type { NetworkId } from '../../sandbox/chain/tokens.ts'
import { chainTransfers } from '../chain/independent-transfers.ts'
import { storedTransfers, sumText } from '../chain/stored-transfers.ts'
import { query } from '../setup/query.ts'
import { type ClientLog, startClients } from './keyed-clients.ts'
import { startTopology, type Topology } from './topology.ts'
import { undisturbedRun } from './undisturbed-run.ts'
import { walletTables } from './wallet-tables.ts'

const SEED = Number(process.env['CRASH_SEED'] ?? 7)
/** The API is killed most, because it charges. */
const KILLS = { api: 20, postgres: 6, worker: 6, temporal: 6 }
const NETWORKS: NetworkId[] = ['ethereum', 'base-wallet']
const addresses = wallets.map(({ address }) => address)
const folder = mkdtempSync(join(tmpdir(), 'sluice-crash-'))
const log = (line: string) => console.log(`crash: ${line}`)

let topology: Topology
let sluiceUrl: string
let client: { accountId: string; key: string }
let syncer: { accountId: string; key: string }
let clientLog: ClientLog
/** client requests in flight when the API or the database was killed */
let inFlightAtKills = 0
let kills: string[] = []

beforeAll(async () => {
  topology = await startTopology(folder, log)
  sluiceUrl = topology.databaseUrl('sluice')
  const { db, close } = openDb({ url: sluiceUrl, maxConnections: 1, applicationName: 'crash-test' })
  const newKey = async (name: string) => {
    const limits = { creditsPerMonth: 1_000_000_000n, requestsPerSecond: 100_000 }
    const { accountId } = await createAccount(db, { name, plan: 'enterprise', ...limits })
    return { accountId, key: (await createKey(db, { accountId, name })).key }
  }
  client = await newKey('client')
  syncer = await newKey('syncer')
  const arePricesThere = await waitForPrices({ db, log, deadlineMs: Date.now() + 240_000 })
  await close()
  if (!arePricesThere) throw new Error('no prices after four minutes')
  await killParts()
}, 1_500_000)

afterAll(async () => {
  await topology?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/**
 * Kills the parts at random moments (by seed) during requests and syncs, then waits until all syncs are
 * complete.
 */
async function killParts(): Promise<void> {
  const { parts, apiUrl } = topology
  const random = createRandom(SEED)
  const order = (Object.keys(KILLS) as (keyof typeof KILLS)[])
    .flatMap((name) =>
      Array.from({ length: KILLS[name] }, () => ({ part: parts[name], rank: random.next() })),
    )
    .sort((one, other) => one.rank - other.rank)
    .map(({ part }) => part)
  log(`seed ${SEED}: ${order.length} kills`)
  const clients = startClients({ url: `${apiUrl}/coins?limit=5`, key: client.key, clients: 16 })
  const wanted: Promise<void>[] = []
  for (const [i, part] of order.entries()) {
    if (i % 2 === 0) wanted.push(requestSync(addresses[(i / 2) % addresses.length]!))
    await sleep(random.between(200, 3_000))
    await part.up()
    if (part === parts.api || part === parts.postgres) inFlightAtKills += clients.inFlight()
    part.kill()
    kills = [...kills, part.name]
    log(`kill ${i + 1}: ${part.name}`)
  }
  await Promise.all(Object.values(parts).map((part) => part.up()))
  await Promise.all(wanted)
  clientLog = await clients.stop()
  await untilSynced()
}

/** Requests a sync until it is accepted. */
async function requestSync(address: string): Promise<void> {
  const url = `${topology.apiUrl}/wallet/transactions?address=${address}&connectionId=${NETWORKS.join(',')}`
  for (let attempt = 0; attempt < 600; attempt++) {
    const signal = AbortSignal.timeout(15_000)
    const response = await fetch(url, {
      method: 'PATCH',
      headers: { 'x-api-key': syncer.key },
      signal,
    }).catch(() => null)
    if (response?.ok) return
    await sleep(200)
  }
  throw new Error(`the sync of ${address} was not accepted in 600 attempts`)
}

async function untilSynced(): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const [found] = await query<{ synced: number }>(
      sluiceUrl,
      `select count(*)::integer as synced from wallet_syncs where synced_at is not null and cursor_block >= head_block`,
    )
    if (found!.synced >= addresses.length * NETWORKS.length) return
    if (attempt % 20 === 0) log(`${found!.synced} syncs done`)
    await sleep(500)
  }
  const rows = await query(sluiceUrl, `select * from wallet_syncs where synced_at is null`)
  throw new Error(`not all wallets are synced: ${JSON.stringify(rows)}`)
}

test('the API is killed 20 times, and every other part is killed as well', () => {
  expect(kills.filter((name) => name === topology.parts.api.name)).toHaveLength(20)
  expect(new Set(kills).size).toBe(4)
})

test('C1, C2 answered <= charged <= answered plus requests in flight at the kills', async () => {
  const { answered, answeredCredits, others } = clientLog
  const costPerRequest = answeredCredits / answered
  const { charged } = await creditsOf(client.accountId)
  console.table([{ answered, answeredCredits, charged, inFlightAtKills, others: JSON.stringify(others) }])
  expect(answered).toBeGreaterThan(500)
  expect(Number.isInteger(costPerRequest) && costPerRequest > 0).toBe(true)
  expect(charged).toBeGreaterThanOrEqual(answeredCredits)
  expect(charged).toBeLessThanOrEqual(answeredCredits + inFlightAtKills * costPerRequest)
  expect(Object.keys(others).filter((end) => end.startsWith('4'))).toEqual([])
})

test('C3 the posted credits of a period equal the sum of its ledger and of its days', async () => {
  for (const { accountId } of [client, syncer]) {
    const { charged, posted } = await creditsOf(accountId)
    expect(charged).toBeGreaterThan(0)
    expect(posted).toBe(charged)
    const [days] = await query<{ credits: number }>(
      sluiceUrl,
      'select sum(credits)::integer as credits from usage_days where account_id = $1',
      [accountId],
    )
    expect(days!.credits).toBe(charged)
  }
})

test('the stored transfers equal those of the chain, none missing and none twice', async () => {
  const { pool, close } = openDb({ url: sluiceUrl, maxConnections: 1, applicationName: 'crash-test' })
  for (const networkId of NETWORKS) {
    const expected = await chainTransfers(topology.rpcs[networkId].url, addresses)
    const stored = await storedTransfers(pool, networkId)
    expect(stored.length).toBeGreaterThan(20)
    expect(stored.map(sumText).sort()).toEqual(expected.map(sumText).sort())
  }
  await close()
})

test('Y1 the wallet tables equal those of a run without kills', async () => {
  const { api, worker } = topology.parts
  await Promise.all([api.stop(), worker.stop()])
  const oracleUrl = await undisturbedRun(topology, { addresses, networks: NETWORKS })
  const [killed, oracle] = [await walletTables(sluiceUrl), await walletTables(oracleUrl)]
  console.table(
    Object.entries(killed).map(([table, { rows, digest }]) => ({
      table,
      rows,
      undisturbed: oracle[table]!.rows,
      same: digest === oracle[table]!.digest,
    })),
  )
  expect(killed['movements']!.rows).toBeGreaterThan(100)
  expect(killed).toEqual(oracle)
})

async function creditsOf(accountId: string): Promise<{ charged: number; posted: number }> {
  const [credits] = await query<{ charged: number; posted: number }>(
    sluiceUrl,
    `select sum(posted)::integer as posted,
       (select sum(case kind when 'refund' then -credits else credits end)::integer
        from ledger_entries where account_id = $1) as charged
     from credit_periods where account_id = $1`,
    [accountId],
  )
  return credits!
}
