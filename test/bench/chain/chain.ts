import { join } from 'node:path'
import { freePort } from '../../../cli/supervisor/free-port.ts'
import { keepAnchor } from '../../../cli/supervisor/keep-anchor.ts'
import { anvilService } from '../../../cli/supervisor/services.ts'
import { airdrop, operator, outsiders } from '../../../sandbox/chain/actors.ts'
import { call, codeOf } from '../../../sandbox/chain/calls.ts'
import { type Call, createRpc, type Rpc, toHex } from '../../../sandbox/chain/rpc.ts'
import { setupBalanceWei } from '../../../sandbox/chain/world.ts'
import type { Cleanup } from '../shared/cleanup.ts'
import { startPart } from '../shared/start-part.ts'

/** The sender of all transfers. */
export const SENDER = airdrop
export const TOKEN = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
export const TRANSFERS_PER_BLOCK = 100
const TRANSACTIONS_PER_BLOCK = 4
const BLOCK_SECONDS = 12
/** Empty blocks at the end, so that both sides read all transfers as final history. */
const CLOSING_BLOCKS = 70

/** Starts the sandbox's Ethereum node on a free port. */
export async function startChain(folder: string, cleanup: Cleanup): Promise<Rpc> {
  const port = await freePort()
  const stateFile = join(folder, 'anvil.json')
  const env = { PATH: process.env['PATH'] ?? '' }
  await startPart(
    anvilService({ network: 'ethereum', port, stateFile, anchor: keepAnchor(folder), env }),
    cleanup,
  )
  const rpc = createRpc(`http://127.0.0.1:${port}`)
  await rpc.batch([
    ['anvil_setCode', TOKEN, codeOf('Token')],
    ['anvil_setCode', SENDER, codeOf('Airdrop')],
    ['anvil_setBalance', operator, toHex(setupBalanceWei)],
  ])
  await mine(rpc, [send(TOKEN, call('Token', 'init', ['USD Coin', 'USDC', 6, 0]))])
  await mine(rpc, [send(TOKEN, call('Token', 'mint', [SENDER, 10n ** 30n]))])
  return rpc
}

/** Adds blocks of transfers from the sender, 25 per transaction, and the closing blocks. */
export async function addBlocks(rpc: Rpc, blocks: number): Promise<void> {
  const perTransaction = TRANSFERS_PER_BLOCK / TRANSACTIONS_PER_BLOCK
  let transfer = 0
  for (let block = 0; block < blocks; block++) {
    const drops = Array.from({ length: TRANSACTIONS_PER_BLOCK }, () => {
      const numbers = Array.from({ length: perTransaction }, () => transfer++)
      const receivers = numbers.map((number) => outsiders[number % outsiders.length])
      const amounts = numbers.map((number) => 1_000_000n + BigInt(number))
      return send(SENDER, call('Airdrop', 'drop', [TOKEN, receivers, amounts]))
    })
    await mine(rpc, drops)
  }
  for (let block = 0; block < CLOSING_BLOCKS; block++) await mine(rpc, [])
}

function send(to: string, data: string): Call {
  return ['eth_sendTransaction', { from: operator, to, data, gas: toHex(8_000_000) }]
}

async function mine(rpc: Rpc, transactions: Call[]): Promise<void> {
  for (const transaction of transactions) await rpc.call(...transaction)
  await rpc.call('evm_increaseTime', BLOCK_SECONDS)
  await rpc.call('evm_mine')
}
