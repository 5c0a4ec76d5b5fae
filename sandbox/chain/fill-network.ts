import { ZEROS, defiContracts, unusedContracts } from '../defi/contracts.ts'
import { airdrop, marker, router } from './actors.ts'
import { codeOf, contractOf } from './calls.ts'
import type { PlannedBlock, PlannedTx } from './ledger.ts'
import { poolPlans } from './pools.ts'
import { toHex, type Call, type Rpc } from './rpc.ts'
import { tokens, type NetworkId } from './tokens.ts'
import { rich, setupBalanceWei } from './world.ts'

/** Number of empty blocks up to the anchor, so that the whole story is final. */
const closingBlocks = 64
const blockSeconds = 12

export type FillSummary = { head: number; transactions: number; kinds: Record<string, number> }

/** Places the code of every contract; existing contracts keep their storage. */
export function placeCode(network: NetworkId): Call[] {
  const codes: [string, `0x${string}`][] = [
    ...tokens
      .filter((t) => t.network === network)
      .map((t) => [t.address, codeOf(contractOf[t.kind])] as [string, `0x${string}`]),
    ...poolPlans[network].map((p) => [p.address, codeOf('Pool')] as [string, `0x${string}`]),
    [router, codeOf('Router')],
    [airdrop, codeOf('Airdrop')],
    ...defiContracts(network).map(([at, name]) => [at, codeOf(name)] as [string, `0x${string}`]),
    ...unusedContracts(network).map((at) => [at, ZEROS] as [string, `0x${string}`]),
  ]
  return codes.map(([address, code]): Call => ['anvil_setCode', address, code])
}

const makeRich = (): Call[] =>
  rich.map((address): Call => ['anvil_setBalance', address, toHex(setupBalanceWei)])

function transaction(tx: PlannedTx, baseFeeWei: bigint): Call {
  const fees = tx.legacy
    ? { gasPrice: toHex(baseFeeWei + tx.tipWei) }
    : { maxFeePerGas: toHex(2n * baseFeeWei + tx.tipWei), maxPriorityFeePerGas: toHex(tx.tipWei) }
  const { from, to, data } = tx
  const numbers = { value: toHex(tx.valueWei), gas: toHex(tx.gas), nonce: toHex(tx.nonce) }
  return ['eth_sendTransaction', { from, to, data, ...numbers, ...fees }]
}

function mineBlock(block: PlannedBlock): Call[] {
  return [
    ['anvil_setNextBlockBaseFeePerGas', toHex(block.baseFeeWei)],
    ...block.txs.map((tx) => transaction(tx, block.baseFeeWei)),
    ['evm_mine', { timestamp: toHex(block.at) }],
  ]
}

/** The summary that an earlier fill stored on the chain; null when the fill is not complete. */
export async function filledBefore(rpc: Rpc): Promise<FillSummary | null> {
  const code = (await rpc.call('eth_getCode', marker, 'latest')) as string
  return code === '0x' ? null : (JSON.parse(Buffer.from(code.slice(2), 'hex').toString()) as FillSummary)
}

async function checkOutcomes(rpc: Rpc, blocks: PlannedBlock[]): Promise<void> {
  for (let i = 0; i < blocks.length; i += 500) {
    const part = blocks.slice(i, i + 500)
    const receipts = await rpc.batch(part.map((_, k): Call => ['eth_getBlockReceipts', toHex(i + k + 1)]))
    part.forEach((block, k) => {
      const statuses = (receipts[k] as { status: string }[]).map((r) => r.status === '0x1')
      block.txs.forEach((tx, n) => {
        if (statuses[n] === tx.fails)
          throw new Error(`block ${i + k + 1}: ${tx.kind} ${n} did not end as planned`)
      })
    })
  }
}

/**
 * Mines the missing planned blocks, then closing blocks up to the anchor, and checks each outcome. Stores the
 * summary on the chain and sets its clock to the present. The same anchor always gives the same blocks.
 */
export async function fillNetwork(options: {
  rpc: Rpc
  network: NetworkId
  blocks: PlannedBlock[]
  /** Unix seconds. */
  anchor: number
  nowSeconds: () => number
  progress: (line: string) => void
}): Promise<FillSummary> {
  const { rpc, network, blocks, anchor, nowSeconds, progress } = options
  const head = Number(await rpc.call('eth_blockNumber'))
  await rpc.call('anvil_dropAllTransactions')
  if (head === 0) await rpc.batch([...placeCode(network), ...makeRich()])
  let reported = Math.floor((head / blocks.length) * 4)
  for (let i = head; i < blocks.length; i++) {
    // One by one: the plan tracks pool reserves exactly, so the order inside a block matters.
    for (const call of mineBlock(blocks[i]!)) await rpc.call(...call)
    const quarter = Math.floor(((i + 1) / blocks.length) * 4)
    if (quarter > reported) progress(`${network}: ${i + 1} of ${blocks.length} blocks`)
    reported = quarter
  }
  await checkOutcomes(rpc, blocks)
  for (let i = Math.max(head - blocks.length, 0); i < closingBlocks; i++)
    await rpc.call('evm_mine', { timestamp: toHex(anchor - (closingBlocks - 1 - i) * blockSeconds) })
  await rpc.call('evm_increaseTime', toHex(Math.max(nowSeconds() - anchor, 0)))
  const kinds: Record<string, number> = {}
  for (const tx of blocks.flatMap((b) => b.txs)) kinds[tx.kind] = (kinds[tx.kind] ?? 0) + 1
  const transactions = Object.values(kinds).reduce((a, b) => a + b, 0)
  const summary = { head: blocks.length + closingBlocks, transactions, kinds }
  await rpc.call('anvil_setCode', marker, `0x${Buffer.from(JSON.stringify(summary)).toString('hex')}`)
  return summary
}
