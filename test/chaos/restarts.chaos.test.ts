import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readRun } from '../../cli/supervisor/run-file.ts'
import { type Call, createRpc, type Rpc, toHex } from '../../sandbox/chain/rpc.ts'
import { networks } from '../../sandbox/chain/networks.ts'
import { query } from '../setup/query.ts'
import { sluiceOn } from '../cli/sluice-on.ts'
import { moving } from '../setup/moves-with-clock.ts'
import { differences, filledTables, storedTables } from '../setup/stored-tables.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { readSimulator } from '../sandbox/simulator.ts'
import { settle } from '../start/settle.ts'
import { databaseUrlOf, type RunningSluice, startSluice } from '../start/running.ts'

// One installation, restarted after its launcher, its supervisor and its chain nodes were killed.

/** Upper limit for the time that passes in the simulator during a restart. */
const MOST_SECONDS = 1_200

const begunAt = new Date()
const home = mkdtempSync(join(tmpdir(), 'sluice-restarts-'))
chmodSync(home, 0o755)
let sluice: RunningSluice
let first: State
let apiPort: string

type State = Awaited<ReturnType<typeof readState>>

const start = async () => {
  sluice = await startSluice({ home, env: { API_PORT: apiPort } })
}

const rpcOf = (network: string): Rpc => createRpc(`http://127.0.0.1:${readRun(home)!.ports[network]}`)

async function readState() {
  const { ports } = readRun(home)!
  const { bitcoinTip, solanaSlot, ...served } = await readSimulator(`http://127.0.0.1:${ports['sandbox']}`)
  const blocks: Record<string, number> = {}
  for (const { id } of networks) {
    blocks[id] = Number(await rpcOf(id).call('eth_blockNumber'))
  }
  return { bitcoinTip, solanaSlot, served, blocks, tables: await storedTables(databaseUrlOf(home), begunAt) }
}

function expectGoesOn(before: State, after: State): void {
  expect(after.served).toEqual(before.served)
  expect(after.bitcoinTip).toBeGreaterThanOrEqual(before.bitcoinTip)
  expect(after.bitcoinTip).toBeLessThan(before.bitcoinTip + 8)
  expect(after.solanaSlot).toBeGreaterThanOrEqual(before.solanaSlot)
  expect(after.solanaSlot).toBeLessThan(before.solanaSlot + MOST_SECONDS * 2.5)
  for (const { id } of networks) expect(after.blocks[id]).toBeGreaterThanOrEqual(before.blocks[id]!)
  expect(differences(before.tables, after.tables)).toEqual([])
  expect(filledTables(after.tables)).toEqual(expect.arrayContaining(filledTables(before.tables)))
}

function expectVerified(): void {
  const { status, stdout } = sluiceOn({ SLUICE_HOME: home })('verify', '--json')
  const checks = JSON.parse(stdout) as { check: string; compared: number; differences: string[] }[]
  expect([status, checks.flatMap(({ differences }) => differences)]).toEqual([0, []])
  expect(checks.every(({ compared }) => compared > 0)).toBe(true)
}

beforeAll(async () => {
  apiPort = String(await freePort())
  await start()
  await settle(sluice)
  first = await readState()
}, 400_000)
afterAll(async () => {
  await sluice?.stop()
  rmSync(home, { recursive: true, force: true })
})

test('all tables that change with time have rows to compare', () => {
  const filled = filledTables(first.tables)
  expect(moving.map(([table]) => table).filter((table) => !filled.includes(table))).toEqual([])
})

test('A9 a start after SIGTERM of the launcher continues the same world', async () => {
  const before = await readState()
  await sluice.end('SIGTERM')
  await start()
  expectGoesOn(before, await readState())
  expectVerified()
})

test('A9 a start after SIGKILL of the supervisor continues the same world', async () => {
  const before = await readState()
  process.kill(readRun(home)!.supervisor.pid, 'SIGKILL')
  await sluice.end()
  await start()
  expectGoesOn(before, await readState())
  expectVerified()
})

test('A9 killed chain nodes continue the same world, and so does the next start', async () => {
  const before = await readState()
  const names = networks.map(({ id }) => `anvil-${id}`)
  const nodes = names.map((name) => readRun(home)!.children[name]!.pid)
  for (const pid of nodes) process.kill(pid, 'SIGKILL')
  await vi.waitFor(async () => {
    const { children } = readRun(home)!
    expect(names.every((name) => children[name] && !nodes.includes(children[name].pid))).toBe(true)
    expectGoesOn(before, await readState())
  }, 60_000)
  await sluice.end()
  await start()
  expectGoesOn(before, await readState())
  expectVerified()
}, 300_000)

test('A9 chains that lost their state are rebuilt in the same world, and stored rows stay valid', async () => {
  const before = await readState()
  await sluice.end()
  rmSync(join(home, 'chains'), { recursive: true })
  await start()
  const after = await readState()
  expect(after.served).toEqual(before.served)
  // Their last blocks have other times, so the next sync replaces the rows read from them.
  const target = `address=${sluice.wallet}&connectionId=${networks.map(({ id }) => id).join(',')}`
  const asked = await fetch(`${sluice.url}/wallet/transactions?${target}`, {
    method: 'PATCH',
    headers: { 'x-api-key': sluice.key },
  })
  expect(asked.status).toBe(200)
  await vi.waitFor(async () => expect(await wrongBlocks()).toEqual([]), { timeout: 120_000, interval: 1_000 })
  expectVerified()
}, 300_000)

/** Stored blocks that are not on the chains. */
async function wrongBlocks(): Promise<string[]> {
  const wrong: string[] = []
  for (const { id } of networks) {
    const stored = await query<{ number: string; hash: string }>(
      databaseUrlOf(home),
      `select number, hash from blocks where network_id = '${id}' order by number`,
    )
    expect(stored.length).toBeGreaterThan(0)
    const asked = stored.map(({ number }): Call => ['eth_getBlockByNumber', toHex(Number(number)), false])
    const blocks = (await rpcOf(id).batch(asked)) as ({ hash: string } | null)[]
    for (const [i, { number, hash }] of stored.entries())
      if (blocks[i]?.hash !== hash) wrong.push(`${id} ${number}`)
  }
  return wrong
}
