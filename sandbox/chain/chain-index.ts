import { networks } from './networks.ts'
import { createRpc, toHex, type Call } from './rpc.ts'
import type { NetworkId } from './tokens.ts'
import {
  internalTransfers,
  logTransfers,
  readToken,
  type Hex,
  type Internal,
  type Log,
  type Token,
  type Transfer,
} from './chain-rows.ts'

export type IndexedTx = {
  hash: Hex
  blockNumber: number
  blockHash: Hex
  at: number
  index: number
  from: Hex
  to: Hex | null
  contractCreated: Hex | null
  value: bigint
  input: Hex
  nonce: number
  type: number
  gas: bigint
  gasPrice: bigint
  gasUsed: bigint
  cumulativeGasUsed: bigint
  success: boolean
  transfers: Transfer[]
  internals: Internal[]
}

type RawTx = Record<'hash' | 'from' | 'input', Hex> & { to: Hex | null } & Record<
    'value' | 'nonce' | 'gas' | 'type',
    Hex
  >
type RawBlock = Record<'number' | 'hash' | 'parentHash' | 'timestamp', Hex> & { transactions: RawTx[] }
type RawReceipt = Record<'gasUsed' | 'cumulativeGasUsed' | 'effectiveGasPrice' | 'status', Hex> & {
  contractAddress: Hex | null
  logs: Log[]
}

const blocksPerBatch = 250

export type ChainIndex = ReturnType<typeof createChainIndex>

/**
 * All transactions of one chain in memory, read from its node; `refresh` follows the head, including reorgs.
 */
export function createChainIndex(options: { network: NetworkId; rpcUrl: string }) {
  const network = networks.find((n) => n.id === options.network)!
  const rpc = createRpc(options.rpcUrl)
  const blocks: { hash: Hex; txs: IndexedTx[] }[] = []
  const tokens = new Map<Hex, Token>()
  const byAddress = new Map<Hex, Set<IndexedTx>>()
  let running: Promise<void> | null = null

  /** Transactions of an address as sender, receiver or party of a transfer, in chain order. */
  function of(address: string): IndexedTx[] {
    const found = [...(byAddress.get(address.toLowerCase() as Hex) ?? [])]
    return found.sort((a, b) => a.blockNumber - b.blockNumber || a.index - b.index)
  }

  function partiesOf(tx: IndexedTx): Set<Hex> {
    const parties = [
      tx.from,
      tx.to,
      tx.contractCreated,
      ...[...tx.transfers, ...tx.internals].flatMap((t) => [t.from, t.to]),
    ]
    return new Set(parties.filter((p) => p !== null))
  }

  function keep(tx: IndexedTx): void {
    for (const party of partiesOf(tx)) {
      let set = byAddress.get(party)
      if (!set) byAddress.set(party, (set = new Set()))
      set.add(tx)
    }
  }

  function dropLast(): void {
    for (const tx of blocks.pop()?.txs ?? [])
      for (const party of partiesOf(tx)) byAddress.get(party)?.delete(tx)
  }

  async function read(from: number, to: number): Promise<void> {
    const numbers = Array.from({ length: to - from + 1 }, (_, i) => toHex(from + i))
    const raw = (await rpc.batch(
      numbers.map((n): Call => ['eth_getBlockByNumber', n, true]),
    )) as (RawBlock | null)[]
    const receipts = (await rpc.batch(numbers.map((n): Call => ['eth_getBlockReceipts', n]))) as (
      | RawReceipt[]
      | null
    )[]
    const traces = (await rpc.batch(numbers.map((n): Call => ['trace_block', n]))) as unknown[]
    for (const [i, block] of raw.entries()) {
      // The chain moved between the calls: the next refresh continues from here.
      if (!block || !receipts[i] || (blocks.length > 0 && block.parentHash !== blocks.at(-1)!.hash)) return
      const internals = internalTransfers(traces[i])
      const txs = block.transactions.map((tx, index): IndexedTx => {
        const receipt = receipts[i]![index]!
        const success = receipt.status === '0x1'
        return {
          hash: tx.hash,
          blockNumber: Number(block.number),
          blockHash: block.hash,
          at: Number(block.timestamp),
          index,
          from: tx.from,
          to: tx.to,
          contractCreated: receipt.contractAddress,
          value: BigInt(tx.value),
          input: tx.input,
          nonce: Number(tx.nonce),
          type: Number(tx.type),
          gas: BigInt(tx.gas),
          success,
          gasPrice: BigInt(receipt.effectiveGasPrice),
          gasUsed: BigInt(receipt.gasUsed),
          cumulativeGasUsed: BigInt(receipt.cumulativeGasUsed),
          transfers: logTransfers(receipt.logs),
          internals: success ? (internals.get(tx.hash) ?? []) : [],
        }
      })
      for (const { token } of txs.flatMap((tx) => tx.transfers)) {
        if (!tokens.has(token)) tokens.set(token, await readToken(rpc, token))
      }
      blocks.push({ hash: block.hash, txs })
      txs.forEach(keep)
    }
  }

  async function follow(): Promise<void> {
    const head = Number(await rpc.call('eth_blockNumber'))
    for (let last = blocks.length - 1; last >= 0; last--) {
      const block =
        last <= head
          ? ((await rpc.call('eth_getBlockByNumber', toHex(last), false)) as RawBlock | null)
          : null
      if (block?.hash === blocks[last]!.hash) break
      dropLast()
    }
    while (blocks.length <= head) {
      const before = blocks.length
      await read(before, Math.min(before + blocksPerBatch - 1, head))
      if (blocks.length === before) return
    }
  }

  /** Reads the blocks since the last call; concurrent requests share one read. */
  function refresh(): Promise<void> {
    running ??= follow().finally(() => (running = null))
    return running
  }

  return {
    network,
    refresh,
    of,
    token: (address: Hex): Token => tokens.get(address)!,
    head: (): number => blocks.length - 1,
  }
}
