import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Call, toHex } from '../../sandbox/chain/rpc.ts'
import { type Chains, fillChains, startChains } from './chains.ts'
import { readSimulator, startSimulator } from './simulator.ts'

const home = mkdtempSync(join(tmpdir(), 'sluice-restart-'))
const story = { SANDBOX_SCALE: '0.02', SANDBOX_SEED: '5' }
const stateFile = join(home, 'chains', 'ethereum.json')
let chains: Chains | null = null
let first: World

type World = Awaited<ReturnType<typeof readWorld>>

/** Starts chains and simulator in the home, reads their data, and stops the simulator. */
async function readWorld(ending: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
  chains = await startChains(home)
  if (!existsSync(stateFile)) await fillChains(chains, story)
  const simulator = await startSimulator({ ...chains.env, ...story })
  const { bitcoinTip, solanaSlot, ...served } = await readSimulator(simulator.url)
  await simulator.stop(ending)
  const { rpcs } = chains
  const head = Number(await rpcs.ethereum.call('eth_blockNumber'))
  const numbers = Array.from({ length: head + 1 }, (_, i) => toHex(i))
  const blocks = await rpcs.ethereum.batch(numbers.map((n): Call => ['eth_getBlockByNumber', n, false]))
  return { heads: { bitcoinTip, solanaSlot }, still: { served, blocks } }
}

async function stopChains(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
  await chains?.stop(signal)
  chains = null
}

/** Expects the same world, a moment later. */
function expectSame({ heads, still }: World): void {
  expect(still).toEqual(first.still)
  expectOnClock(heads)
}

function expectOnClock({ bitcoinTip, solanaSlot }: World['heads']): void {
  expect(bitcoinTip).toBeGreaterThanOrEqual(first.heads.bitcoinTip)
  expect(bitcoinTip).toBeLessThan(first.heads.bitcoinTip + 6)
  expect(solanaSlot).toBeGreaterThanOrEqual(first.heads.solanaSlot)
  expect(solanaSlot).toBeLessThan(first.heads.solanaSlot + 3_600 * 2.5)
}

const genesisBlocks = (state: string) =>
  (JSON.parse(state) as { blocks: { header: { number: string } }[] }).blocks.filter(
    ({ header }) => Number(header.number) === 0,
  )

beforeAll(async () => {
  first = await readWorld()
  await stopChains()
})
afterAll(async () => {
  await stopChains()
  rmSync(home, { recursive: true, force: true })
})

test('the world is the same after three restarts, with normal ends and kills', async () => {
  for (const [ofNodes, ofSimulator] of [
    ['SIGINT', 'SIGTERM'],
    ['SIGKILL', 'SIGKILL'],
    ['SIGINT', 'SIGKILL'],
  ] as const) {
    expectSame(await readWorld(ofSimulator))
    await stopChains(ofNodes)
  }
  // The genesis of the last start stays until the next start.
  expect(genesisBlocks(readFileSync(`${stateFile}.dump`, 'utf8')).length).toBeLessThanOrEqual(2)
})

test('a home without an anchor takes the time of its earliest genesis block, in whatever order they are stored', async () => {
  rmSync(join(home, 'sandbox-anchor'))
  const state = JSON.parse(readFileSync(`${stateFile}.dump`, 'utf8'))
  const [newest, ...others] = genesisBlocks(JSON.stringify(state)).sort(
    (a: any, b: any) => Number(b.header.timestamp) - Number(a.header.timestamp),
  ) as any[]
  const later = (seconds: number) => {
    const timestamp = `0x${(Number(newest.header.timestamp) + seconds).toString(16)}`
    return { ...newest, header: { ...newest.header, timestamp } }
  }
  const rest = state.blocks.filter(({ header }: any) => Number(header.number) !== 0)
  state.blocks = [...others, newest, ...rest, later(100), later(200)]
  // An older version overwrote the state that it had started from.
  writeFileSync(stateFile, JSON.stringify(state))
  rmSync(`${stateFile}.dump`)
  expectSame(await readWorld())
})

// Otherwise stored rows would belong to a branch too deep to undo.
test('chains that lost their state are rebuilt with the same blocks', async () => {
  await stopChains('SIGKILL')
  rmSync(join(home, 'chains'), { recursive: true })
  const { heads, still } = await readWorld()
  expect(still.served).toEqual(first.still.served)
  expect(still.blocks).toEqual(first.still.blocks)
  expectOnClock(heads)
})
