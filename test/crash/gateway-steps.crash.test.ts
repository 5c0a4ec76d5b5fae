import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import { startTemporaryPostgres, type TemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { migrate } from '../../db/migrate.ts'
import { createRandom } from '../../sandbox/chain/random.ts'
import { type Fault, type FaultProxy, LOST, startFaultProxy } from '../gateway/fault-proxy.ts'
import { ROLE_PASSWORDS } from '../setup/database.ts'
import { startFacilitator, type TestFacilitator } from '../setup/facilitator.ts'
import { query } from '../setup/query.ts'
import { checkPurchases, isSettled } from './check-purchases.ts'
import { gatewayService, PAY_TO, PRICE } from './gateway-service.ts'
import { keepAlive, type KeptAlive } from './keep-alive.ts'
import { buy, type Purchase } from './paying-clients.ts'

// Kills the gateway at each of its steps: before a statement is sent, after it is committed, and around its
// requests to the facilitator. Five seeds choose the payment and additional faults.

const FUNCTIONS = [
  'claim_payment',
  'store_payment',
  'settle_payment',
  'release_payment',
  'doubt_payment',
  'fail_payment',
  'take_open_payments',
  'renew_payment_owner',
  'clean_payments',
]
const STEPS = [...FUNCTIONS, 'POST /verify', 'POST /settle'].flatMap((step) =>
  (['before', 'after'] as const).map((moment) => ({ step, moment })),
)
const SEEDS = 5
const CLIENTS = 4
const folder = mkdtempSync(join(tmpdir(), 'sluice-gateway-crash-'))

interface Lane {
  url: string
  gateway: KeptAlive
  proxy: FaultProxy
  dieFile: string
  payer: PrivateKeyAccount
  random: ReturnType<typeof createRandom>
}

let postgres: TemporaryPostgres
let facilitator: TestFacilitator
let databaseUrl: string
/** One gateway per seed, all on the same tables. */
let lanes: Lane[]
const all: Purchase[] = []
const kills: Record<string, number> = {}

beforeAll(async () => {
  postgres = await startTemporaryPostgres()
  facilitator = await startFacilitator()
  const admin = ownerUrl({ ...postgres, database: 'postgres' })
  await query(admin, 'create database sluice')
  databaseUrl = ownerUrl({ ...postgres, database: 'sluice' })
  await migrate({ databaseUrl, passwords: ROLE_PASSWORDS, log: () => {} })
  const roleUrl = (role: string) => `postgres://${role}:${role}@127.0.0.1:${postgres.port}/sluice`
  lanes = []
  for (let seed = 1; seed <= SEEDS; seed++) {
    const port = await freePort()
    const payer = await facilitator.newPayer({ usdc: 10 })
    const proxy = await startFaultProxy(() => facilitator.url)
    const dieFile = join(folder, `die-${seed}`)
    const spec = gatewayService({
      port,
      roleUrl,
      facilitatorUrl: proxy.url,
      rpcUrl: facilitator.rpcUrl,
      dieFile,
    })
    const gateway = keepAlive(spec, join(folder, `gateway-${seed}.log`))
    lanes.push({
      url: `http://127.0.0.1:${port}`,
      gateway,
      proxy,
      dieFile,
      payer,
      random: createRandom(seed),
    })
  }
  await Promise.all(lanes.map(({ gateway }) => gateway.up()))
})

afterAll(async () => {
  for (const { gateway, proxy } of lanes ?? []) {
    await gateway.stop()
    await proxy.stop()
  }
  await facilitator?.stop()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const refuse: Fault = ({ reply }) => {
  const refusal = { success: false, errorReason: 'invalid_exact_evm_insufficient_balance', transaction: '' }
  reply(200, JSON.stringify({ ...refusal, network: 'eip155:8453' }))
}

/** Faults besides the kill: the one that leads to the step, or a random one. */
function faultsOf(step: string, { random }: Lane): Fault[] {
  if (step === 'fail_payment') return [refuse]
  if (step === 'doubt_payment' || step === 'take_open_payments') return [LOST['status 500']!(false)]
  const names = Object.keys(LOST).filter((name) => name !== 'timeout')
  return random.next() < 0.3 ? [LOST[random.pick(names)]!(random.next() < 0.5)] : []
}

/** Lets clients pay until the gateway was killed at the step and every client has a final answer. */
async function killAt(step: string, moment: string, lane: Lane): Promise<Purchase[]> {
  const { url, gateway, proxy, dieFile, payer, random } = lane
  const isOften = /claim|store|settle|POST/.test(step)
  writeFileSync(dieFile, `${step}:${moment}:${isOften ? 1 + random.integer(CLIENTS) : 1}`)
  const purchases: Purchase[] = []
  for (let i = 0; i < 5 && (i === 0 || existsSync(dieFile)); i++) {
    proxy.plan('settle', ...faultsOf(step, lane))
    const paths = Array.from({ length: CLIENTS }, (_, client) =>
      step === 'release_payment' && client < 2 ? '/coins/no-such-coin' : '/coins?limit=5',
    )
    const buying = { url: () => url, payer, payTo: PAY_TO, amount: PRICE, deadlineMs: 60_000 }
    purchases.push(...(await Promise.all(paths.map((path) => buy({ ...buying, path })))))
    proxy.heal()
  }
  // Some steps run on a timer.
  for (let i = 0; i < 150 && existsSync(dieFile); i++) await sleep(100)
  expect([step, moment, existsSync(dieFile)]).toEqual([step, moment, false])
  await gateway.up()
  return purchases
}

test.each(STEPS)(
  'killed $moment $step: settled payments are served and charged once, others are not served',
  async ({ step, moment }) => {
    const bought = await Promise.all(lanes.map((lane) => killAt(step, moment, lane)))
    kills[`${step} ${moment}`] = lanes.length
    all.push(...bought.flat())
    for (const [i, purchases] of bought.entries()) {
      const where = { rpcUrl: facilitator.rpcUrl, databaseUrl, url: () => lanes[i]!.url }
      await checkPurchases(purchases, where)
      // All except calls for a missing coin and calls refused by the facilitator.
      const served = purchases.filter(({ statuses }) => statuses.includes(200)).length
      expect(served).toBeGreaterThanOrEqual(step === 'fail_payment' ? 1 : CLIENTS / 2)
    }
  },
)

test('kills cover at least 20 steps, and the received money equals the settled payments', async () => {
  expect(Object.keys(kills).length).toBeGreaterThanOrEqual(20)
  const settled = await Promise.all(all.map((purchase) => isSettled(facilitator.rpcUrl, purchase)))
  const units = all.reduce((sum, { amount }, i) => sum + (settled[i] ? amount : 0n), 0n)
  expect(await facilitator.usdcOf(PAY_TO)).toBe(units)
  const [held] = await query<{ open: number; settled: number }>(
    databaseUrl,
    `select count(*) filter (where state in ('settling', 'unknown'))::integer as open,
       count(*) filter (where state = 'settled')::integer as settled from payments`,
  )
  console.table([{ kills: Object.keys(kills).length * SEEDS, payments: all.length, ...held }])
  expect(held).toEqual({ open: 0, settled: settled.filter(Boolean).length })
})
