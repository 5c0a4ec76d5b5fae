import { GAS_PRICE } from './chain.ts'
import type { LogSpec, MemoryBlock, MemoryTransaction } from './chain.ts'

// Blocks, transactions, receipts and logs as JSON-RPC gives them.

export function blockShape(block: MemoryBlock, full: boolean) {
  return {
    ...header(block),
    transactions: block.transactions.map((one) => (full ? transactionShape(block, one) : one.hash)),
    withdrawals: block.withdrawals.map(({ index, address, gwei }) => ({
      index: hex(index),
      validatorIndex: hex(7),
      address,
      amount: hex(gwei),
    })),
  }
}

function header(block: MemoryBlock) {
  return {
    number: hex(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: hex(block.timestamp),
    logsBloom: block.logsBloom,
    gasUsed: hex(block.gasUsed),
    gasLimit: hex(45_000_000),
    baseFeePerGas: hex(GAS_PRICE),
    miner: `0x${'0c'.repeat(20)}`,
  }
}

export function transactionShape(block: MemoryBlock, one: MemoryTransaction) {
  return {
    ...place(block, one),
    hash: one.hash,
    from: one.from,
    to: one.to,
    value: hex(one.value),
    input: one.input,
    nonce: hex(one.nonce),
    gas: hex(one.gasUsed),
    ...(one.mint > 0n
      ? { type: '0x7e', mint: hex(one.mint), gasPrice: '0x0' }
      : { type: '0x2', gasPrice: hex(GAS_PRICE) }),
  }
}

export function receiptShape(block: MemoryBlock, one: MemoryTransaction) {
  const before = block.transactions.slice(0, one.index + 1)
  return {
    ...place(block, one),
    transactionHash: one.hash,
    from: one.from,
    to: one.to,
    contractAddress: one.contractAddress,
    cumulativeGasUsed: hex(before.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)),
    gasUsed: hex(one.gasUsed),
    effectiveGasPrice: hex(one.mint > 0n ? 0 : GAS_PRICE),
    status: one.succeeds ? '0x1' : '0x0',
    logs: one.logs.map((log) => logShape(block, one, log)),
    logsBloom: one.logsBloom,
    type: one.mint > 0n ? '0x7e' : '0x2',
  }
}

export function logShape(block: MemoryBlock, one: MemoryTransaction, log: LogSpec & { logIndex: number }) {
  return {
    ...place(block, one),
    address: log.address,
    topics: log.topics,
    data: log.data,
    transactionHash: one.hash,
    logIndex: hex(log.logIndex),
    removed: false,
  }
}

export function traceShapes(block: MemoryBlock) {
  return block.transactions.flatMap((one) => {
    const at = { blockHash: block.hash, blockNumber: block.number, transactionHash: one.hash }
    const call = (from: string, to: string | null, value: bigint) => ({
      callType: 'call',
      from,
      to,
      value: hex(value),
    })
    return [
      { ...at, type: 'call', traceAddress: [], action: call(one.from, one.to, one.value) },
      ...one.internals.map(({ from, to, value }, i) => ({
        ...at,
        type: 'call',
        traceAddress: [i],
        action: call(from, to, value),
      })),
    ]
  })
}

function place(block: MemoryBlock, { index }: MemoryTransaction) {
  return { blockHash: block.hash, blockNumber: hex(block.number), transactionIndex: hex(index) }
}

export function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`
}
