import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { freePort } from '../../../cli/supervisor/free-port.ts'
import { keepAnchor } from '../../../cli/supervisor/keep-anchor.ts'
import { anvilService } from '../../../cli/supervisor/services.ts'
import { airdrop, operator } from '../../../sandbox/chain/actors.ts'
import { multicall3 } from '../../../sandbox/defi/contracts.ts'
import { call, codeOf } from '../../../sandbox/chain/calls.ts'
import { type Call, createRpc, type Rpc, toHex } from '../../../sandbox/chain/rpc.ts'
import type { Cleanup } from '../shared/cleanup.ts'
import { startPart } from '../shared/start-part.ts'

// Blocks as busy ones of Ethereum: 200 transactions and 700 logs. Twenty of the transactions move something to
// tracked wallets, whatever their number is.

const TOKEN = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const TRANSACTIONS = 200
export const TOUCHED = 20
/** The other transactions have three or four transfers each. */
const OTHER_LOGS = 690
/** The first wallets are those of the chain, so every size of the set has them. */
export const WALLETS_ON_CHAIN = 1_000
const BLOCK_SECONDS = 12
/** More than the blocks of any run. */
const MOST_STATES = 100_000
const GAS = toHex(8_000_000)

/** Balances of all blocks can be asked for. */
function withAllStates(args: readonly string[]): string[] {
  const at = args.indexOf('--prune-history') + 1
  if (at === 0) throw new Error('anvil keeps another number of states')
  return args.with(at, String(MOST_STATES))
}

export const walletAddress = (number: number): string => addressOf('wallet', number)
const outsider = (number: number): string => addressOf('outsider', number)

function addressOf(kind: string, number: number): string {
  return `0x${createHash('sha256').update(`${kind} ${number}`).digest('hex').slice(0, 40)}`
}

export interface BenchChain {
  rpc: Rpc
  /** Mines blocks without transactions. */
  mineEmpty: (blocks: number) => Promise<void>
  /** Mines busy blocks by the clock of the chain. */
  mineBusy: (blocks: number) => Promise<void>
  /** Mines a block of 40 transactions that move tokens to 2,000 wallets. */
  mineDrop: () => Promise<void>
  /** Sends the transactions of a busy block. `mineNow` mines it with the time of this machine. */
  sendBusy: () => Promise<void>
  mineNow: () => Promise<void>
  head: () => Promise<number>
}

/** Starts the sandbox's Ethereum node on a free port, with a token of which the sender has enough. */
export async function startChain(folder: string, cleanup: Cleanup): Promise<BenchChain> {
  const port = await freePort()
  const env = { PATH: process.env['PATH'] ?? '' }
  const anchor = keepAnchor(folder)
  const node = anvilService({ network: 'ethereum', port, stateFile: join(folder, 'anvil.json'), anchor, env })
  await startPart({ ...node, argsAtStart: () => withAllStates(node.argsAtStart()) }, cleanup)
  const rpc = createRpc(`http://127.0.0.1:${port}`)
  let transfers = 0
  let touched = 0
  let nonce = 0

  const head = async () => Number(await rpc.call('eth_blockNumber'))
  const send = (to: string, rest: { data?: string; value?: string }): Call => [
    'eth_sendTransaction',
    // The node runs the calls of a batch side by side, and would give two of them the same number.
    { from: operator, to, gas: GAS, nonce: toHex(nonce++), ...rest },
  ]
  const drop = (receivers: string[]): Call =>
    send(airdrop, { data: call('Airdrop', 'drop', [TOKEN, receivers, receivers.map(() => 1_000n)]) })

  async function mine(): Promise<void> {
    const latest = (await rpc.call('eth_getBlockByNumber', 'latest', false)) as { timestamp: string }
    await rpc.call('evm_setNextBlockTimestamp', Number(latest.timestamp) + BLOCK_SECONDS)
    await rpc.call('evm_mine')
  }

  async function sendBusy(): Promise<void> {
    const others = TRANSACTIONS - TOUCHED
    const calls = Array.from({ length: others }, (_, i) => {
      const logs = Math.floor(((i + 1) * OTHER_LOGS) / others) - Math.floor((i * OTHER_LOGS) / others)
      return drop(Array.from({ length: logs }, () => outsider(transfers++)))
    })
    for (let i = 0; i < TOUCHED; i++) {
      const wallet = walletAddress(touched++ % WALLETS_ON_CHAIN)
      calls.push(i % 2 === 0 ? send(wallet, { value: '0x1' }) : drop([wallet]))
    }
    await rpc.batch(calls)
  }

  await rpc.batch([
    ['anvil_setCode', TOKEN, codeOf('Token')],
    ['anvil_setCode', airdrop, codeOf('Airdrop')],
    ['anvil_setCode', multicall3, codeOf('Multicall3')],
    ['anvil_setBalance', operator, toHex(10n ** 30n)],
  ])
  await rpc.batch([send(TOKEN, { data: call('Token', 'init', ['USD Coin', 'USDC', 6, 0]) })])
  await mine()
  await rpc.batch([send(TOKEN, { data: call('Token', 'mint', [airdrop, 10n ** 30n]) })])
  await mine()

  return {
    rpc,
    head,
    sendBusy,
    mineEmpty: async (blocks) => void (await rpc.call('anvil_mine', toHex(blocks), toHex(BLOCK_SECONDS))),
    async mineBusy(blocks) {
      for (let block = 0; block < blocks; block++) {
        await sendBusy()
        await mine()
      }
    },
    async mineDrop() {
      const perTransaction = 50
      const receivers = Array.from({ length: 2 * WALLETS_ON_CHAIN }, (_, i) => walletAddress(i))
      const calls: Call[] = []
      for (let at = 0; at < receivers.length; at += perTransaction)
        calls.push(drop(receivers.slice(at, at + perTransaction)))
      await rpc.batch(calls)
      await mine()
    },
    async mineNow() {
      await rpc.call('evm_setNextBlockTimestamp', Math.floor(Date.now() / 1_000))
      await rpc.call('evm_mine')
    },
  }
}
