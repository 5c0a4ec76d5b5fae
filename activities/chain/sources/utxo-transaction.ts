import { NOBODY } from '../chain-data.ts'
import type { ChainTransaction, ChainTransfer } from '../chain-data.ts'

/** What an output holds; `address` is null for scripts without one (bare keys, data). Amounts in base units. */
export interface UtxoOutput {
  address: string | null
  value: bigint
}

/** A confirmed transaction of Bitcoin or a network that descends from it, in the form that all its sources become. */
export interface UtxoTransaction {
  txid: string
  blockNumber: number
  blockHash: string
  atMs: number
  fee: bigint
  /** the outputs that it spends; null for what a miner is paid */
  inputs: readonly (UtxoOutput | null)[]
  outputs: readonly UtxoOutput[]
}

/**
 * Converts all inputs and outputs to transfers from and to an address. Skips scripts without an address (bare
 * keys, data): they change no address's balance.
 */
export function decodeUtxoTransaction(tx: UtxoTransaction): {
  transaction: ChainTransaction
  transfers: ChainTransfer[]
} {
  const { txid, blockNumber, blockHash, atMs, fee, inputs } = tx
  const place = { txHash: txid, blockNumber, blockHash, atMs, item: 0, token: null, tokenId: null, fanOut: 1 }
  const transfers: ChainTransfer[] = []
  inputs.forEach((spent, position) => {
    if (spent === null || spent.address === null || spent.value === 0n) return
    const from = spent.address
    transfers.push({ ...place, kind: 'input', position, from, to: NOBODY, raw: spent.value })
  })
  tx.outputs.forEach(({ address: to, value }, position) => {
    if (to === null || value === 0n) return
    transfers.push({ ...place, kind: 'output', position, from: NOBODY, to, raw: value })
  })
  const transaction: ChainTransaction = {
    hash: txid,
    blockNumber,
    blockHash,
    atMs,
    index: 0,
    from: firstPayer(inputs),
    to: null,
    value: inputs.reduce((sum, spent) => sum + (spent?.value ?? 0n), 0n),
    fee,
    success: true,
    selector: null,
  }
  return { transaction, transfers }
}

/** Skips inputs of value zero: they pay no part of the fee. */
function firstPayer(inputs: UtxoTransaction['inputs']): string {
  return inputs.find((spent) => spent !== null && spent.value > 0n)?.address ?? NOBODY
}

/** Change of the addresses' balance by a transaction, in base units. */
export function ownDelta(own: ReadonlySet<string>, { inputs, outputs }: UtxoTransaction): bigint {
  const sum = (all: readonly (UtxoOutput | null)[]) =>
    all.reduce((total, one) => (one && own.has(one.address ?? '') ? total + one.value : total), 0n)
  return sum(outputs) - sum(inputs)
}
