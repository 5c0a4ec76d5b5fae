import { afterAll, beforeAll, expect, test } from 'vitest'
import { dispatchPending } from '../../activities/dispatch-outbox.ts'
import { createRiskActivities } from '../../activities/risk/index.ts'
import { getTokenRisks } from '../../api/risk/get-token-risks.ts'
import { tokens } from '../../sandbox/chain/tokens.ts'
import type { refreshRisks } from '../../workflows/risk/refresh-risks.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { insertCoin } from '../setup/factories.ts'
import { startSandboxWorld } from '../setup/sandbox-world.ts'
import { startWorker } from '../setup/worker.ts'

const database = await testDatabase()
const { deps, faults } = await startSandboxWorld(database)
const api = await startApi({ database, routes: [getTokenRisks] })
const { key } = await api.newAccount({ plan: 'enterprise', credits: 9_000_000_000 })
const report = endpoint(api, { route: getTokenRisks, key })
const addressOf = (name: string) => tokens.find((t) => t.key === name && t.network === 'ethereum')!.address
let worker: Awaited<ReturnType<typeof startWorker>>

beforeAll(async () => {
  worker = await startWorker({ taskQueue: 'risk-test', activities: createRiskActivities(deps) })
})
afterAll(() => worker.stop())

test('checks contracts of listed coins once a day and serves the results', async () => {
  faults.add({ source: 'goplus', kind: 'error', count: 1 })
  const contract = (name: string) => ({ blockchain: 'ethereum', address: addressOf(name), decimals: 18 })
  await insertCoin(api.owner, { id: 'usd-coin', at: new Date(), contracts: [contract('USDC')] })
  await insertCoin(api.owner, { id: 'fern', at: new Date(), contracts: [contract('FERN')] })
  expect(await worker.run<typeof refreshRisks>('refreshRisks')).toEqual({
    checked: 2,
    known: 1,
    quarantined: 0,
  })
  expect((await report('/token-risks?coinId=usd-coin')).body.results.length).toBeGreaterThan(10)
  expect(await worker.run<typeof refreshRisks>('refreshRisks')).toMatchObject({ checked: 0 })
})

test('a workflow checks a requested token, and the next response has its risks', async () => {
  const path = `/token-risks?chain=ethereum&contractAddress=${addressOf('TAXED')}`
  expect((await report(path)).body).toEqual({ results: [] })
  const { client, taskQueue } = worker
  expect(await dispatchPending({ pool: deps.pool, client, taskQueue, known: new Set() })).toBe(1)
  await client.workflow.getHandle(`check-tokens/ethereum:${addressOf('TAXED')}`).result()
  const { results } = (await report(path)).body
  const fee = results.find((r: { key: string }) => r.key === 'risk_basic_transfer_fee')
  expect(fee).toMatchObject({ value: 'true', severity: 'low' })
})
