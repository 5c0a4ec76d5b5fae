import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownerUrl, postgresService } from '../../cli/postgres/postgres-service.ts'
import { prepareCluster } from '../../cli/postgres/prepare-cluster.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { facilitatorService } from '../../cli/supervisor/services.ts'
import { migrate } from '../../db/migrate.ts'
import { call } from '../../sandbox/chain/calls.ts'
import { mintUsdc, placeUsdc } from '../../sandbox/chain/place-usdc.ts'
import { createRandom } from '../../sandbox/chain/random.ts'
import { createRpc } from '../../sandbox/chain/rpc.ts'
import { jsonRpc } from '../setup/anvil.ts'
import { ROLE_PASSWORDS } from '../setup/database.ts'
import { USDC } from '../setup/facilitator.ts'
import { query } from '../setup/query.ts'
import { checkPurchases } from './check-purchases.ts'
import { gatewayService, PAY_TO, PRICE } from './gateway-service.ts'
import { keepAlive, type KeptAlive } from './keep-alive.ts'
import { type KillableChain, startKillableChain } from './killable-chain.ts'
import { buy, insist, type Purchase } from './paying-clients.ts'

// Two gateways, the facilitator, the chain and Postgres are killed at random under 32 paying clients.

const SEED = Number(process.env['CRASH_SEED'] ?? 7)
const CLIENTS = 32
const KILLS: Record<string, number> = { gateway: 10, facilitator: 4, chain: 3, postgres: 3 }
const folder = mkdtempSync(join(tmpdir(), 'sluice-gateway-kills-'))
const log = (line: string) => console.log(`crash: ${line}`)
const random = createRandom(SEED)

let chain: KillableChain
let databaseUrl: string
let gateways: KeptAlive[]
let urls: string[]
const stops: (() => Promise<void>)[] = []
const purchases: Purchase[] = []
const killed: Record<string, number> = {}

const keep = async (spec: Parameters<typeof keepAlive>[0]): Promise<KeptAlive> => {
  const kept = keepAlive(spec, join(folder, `${spec.name}.log`))
  stops.push(kept.stop)
  await kept.up()
  return kept
}

beforeAll(async () => {
  chmodSync(folder, 0o711)
  const cluster = await prepareCluster({
    folder: join(folder, 'postgres'),
    ownerPassword: 'owner',
    log: () => {},
  })
  const port = await freePort()
  const postgres = await keep(postgresService({ cluster, port, ownerPassword: 'owner' }))
  await query(ownerUrl({ port, ownerPassword: 'owner', database: 'postgres' }), 'create database sluice')
  databaseUrl = ownerUrl({ port, ownerPassword: 'owner', database: 'sluice' })
  await migrate({ databaseUrl, passwords: ROLE_PASSWORDS, log: () => {} })

  chain = await startKillableChain(await freePort())
  stops.push(() => chain.stop())
  const rpc = createRpc(chain.url)
  await placeUsdc(rpc)
  const payers: PrivateKeyAccount[] = []
  for (let i = 0; i < CLIENTS; i++) {
    payers.push(privateKeyToAccount(generatePrivateKey()))
    await mintUsdc(rpc, { to: payers[i]!.address, units: 10_000_000n })
  }

  const facilitatorPort = await freePort()
  const facilitator = await keep(
    facilitatorService({
      port: facilitatorPort,
      key: generatePrivateKey(),
      payer: payers[0]!.address,
      env: { PATH: process.env['PATH'] ?? '', RPC_URL_BASE_WALLET: chain.url },
    }),
  )
  const roleUrl = (role: string) => `postgres://${role}:${role}@127.0.0.1:${port}/sluice`
  gateways = []
  urls = []
  for (let i = 0; i < 2; i++) {
    const gatewayPort = await freePort()
    urls.push(`http://127.0.0.1:${gatewayPort}`)
    const facilitatorUrl = `http://127.0.0.1:${facilitatorPort}`
    gateways.push(
      await keep(gatewayService({ port: gatewayPort, roleUrl, facilitatorUrl, rpcUrl: chain.url })),
    )
  }

  let isOver = false
  const clients = payers.map(async (payer) => {
    const own = createRandom(SEED * 1_000 + payers.indexOf(payer))
    const buying = { url: () => own.pick(urls), payer, payTo: PAY_TO, amount: PRICE, deadlineMs: 150_000 }
    while (!isOver) {
      purchases.push(await buy({ ...buying, path: `/coins?limit=${1 + own.integer(50)}` }))
      await sleep(own.between(50, 500))
    }
  })
  await killParts({ gateways, facilitator, postgres })
  isOver = true
  await Promise.all(clients)
}, 600_000)

afterAll(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  rmSync(folder, { recursive: true, force: true })
})

async function killParts(parts: {
  gateways: KeptAlive[]
  facilitator: KeptAlive
  postgres: KeptAlive
}): Promise<void> {
  const order = Object.entries(KILLS)
    .flatMap(([part, count]) => Array.from({ length: count }, () => ({ part, rank: random.next() })))
    .sort((one, other) => one.rank - other.rank)
  log(`seed ${SEED}: ${order.length} kills`)
  for (const { part } of order) {
    await sleep(random.between(500, 4_000))
    killed[part] = (killed[part] ?? 0) + 1
    if (part === 'chain') await chain.kill(random.between(100, 1_500))
    else {
      const victim =
        part === 'gateway' ? random.pick(parts.gateways) : parts[part as 'facilitator' | 'postgres']
      await victim.up()
      victim.kill()
    }
    log(`killed ${part}; ${purchases.length} purchases so far`)
  }
  for (const part of [...parts.gateways, parts.facilitator, parts.postgres]) await part.up()
}

test('each settled payment has one stored answer that its payer gets; nothing is served unpaid', async () => {
  // Repeat the purchases that a client gave up on.
  for (const purchase of purchases)
    if (![200, 402].includes(purchase.statuses.at(-1)!))
      await insist(purchase, { url: () => urls[0]!, deadlineMs: 60_000 })
  const ends: Record<string, number> = {}
  for (const { statuses } of purchases)
    ends[String(statuses.at(-1))] = (ends[String(statuses.at(-1))] ?? 0) + 1
  const retries = purchases.filter(({ statuses }) => statuses.length > 1).length
  console.table([{ purchases: purchases.length, retried: retries, ends: JSON.stringify(ends), ...killed }])
  const where = { rpcUrl: chain.url, databaseUrl, url: () => urls[1]! }
  const units = await checkPurchases(purchases, where)
  const data = call('UsdCoin', 'balanceOf', [PAY_TO])
  expect(BigInt(await jsonRpc(chain.url, 'eth_call', [{ to: USDC, data }, 'latest']))).toBe(units)
  // A client that repeats its request gets what it paid for. A facilitator that has just seen an empty chain
  // may refuse without a charge.
  expect(Object.keys(ends).filter((end) => end !== '200' && end !== '402')).toEqual([])
  expect(ends['200']).toBeGreaterThan(0.97 * purchases.length)
  expect(purchases.length).toBeGreaterThan(100)
  expect(retries).toBeGreaterThan(10)
})

test('every part was killed', () => {
  expect(killed).toEqual(KILLS)
})

test('no payment stays unsettled', async () => {
  const open = await query(databaseUrl, `select id, state, last_error from payments where state <> 'settled'`)
  expect(open).toEqual([])
})
