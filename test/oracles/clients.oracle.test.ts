import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { mintUsdc } from '../../sandbox/chain/place-usdc.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { startGateway } from '../setup/gateway.ts'
import { query } from '../setup/query.ts'
import { installPythonTool } from './install-python-tool.ts'

// The official Python clients pay for calls end to end: the newest, and the last with version 1 only.

const run = promisify(execFile)
const database = await testDatabase()
const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())
const gateway = await startGateway({
  database,
  routes,
  facilitatorUrl: facilitator.url,
  rpcUrl: facilitator.rpcUrl,
  // The URL is plain HTTP, so the cookie is not secure. Otherwise the clients would not send it.
  sessions: { publicUrl: 'http://127.0.0.1' },
})
const CLIENTS = [
  { script: 'x402_newest.py', version: '2.25.0', network: 'eip155:8453', calls: 2 },
  // This client pays outside of its session, so the session gets no cookie. It returns the 402 of the next
  // request unpaid.
  { script: 'x402_first.py', version: '0.2.1', network: 'base', calls: 1 },
] as const
const programs = new Map<string, string>()

beforeAll(async () => {
  await query(
    database.ownerUrl,
    `insert into fx_rates (currency, at, per_usd, source, fetched_at) values ('EUR', date_trunc('day', now(), 'UTC'), 0.8, 'test', now())`,
  )
  for (const { version } of CLIENTS)
    programs.set(
      version,
      await installPythonTool({
        name: `x402-${version}`,
        requirements: [version.startsWith('0') ? `x402==${version}` : `x402[evm,httpx,requests]==${version}`],
      }),
    )
})

const cases = CLIENTS.flatMap((client) => (['httpx', 'requests'] as const).map((way) => ({ ...client, way })))

test.each(cases)(
  'x402 $version from PyPI pays for a call with $way',
  async ({ script, version, network, calls, way }) => {
    const key = generatePrivateKey()
    const payer = privateKeyToAccount(key)
    await mintUsdc(facilitator.rpc, { to: payer.address, units: 1_000_000n })
    const settledBefore = gateway.asked.settle
    const url = `http://127.0.0.1:${gateway.port}/fiats`
    const { stdout } = await run(
      join(programs.get(version)!, 'python'),
      [join(import.meta.dirname, script), way, ...Array.from({ length: calls }, () => url)],
      { env: { PATH: process.env['PATH'], PAYER_KEY: key } },
    )
    const [first, second] = JSON.parse(stdout)
    expect(first).toMatchObject({ status: 200, data: [{ name: 'USD' }, { name: 'EUR', rate: 0.8 }] })
    expect(first.receipt).toMatchObject({ success: true, network, payer: payer.address.toLowerCase() })
    const { status, logs } = await facilitator.anvil.call(
      'eth_getTransactionReceipt',
      first.receipt.transaction,
    )
    expect([status, Number(logs[1].data)]).toEqual(['0x1', 1_000])
    // The session kept the cookie, so the second call costs nothing.
    if (calls > 1) expect(second).toMatchObject({ status: 200, data: first.data, receipt: null })
    expect(gateway.asked.settle - settledBefore).toBe(1)
    expect(1_000_000n - (await facilitator.usdcOf(payer.address))).toBe(1_000n)
  },
)
