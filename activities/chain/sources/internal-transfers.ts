import type { ChainTransaction, ChainTransfer, InternalTransfer } from '../chain-data.ts'

/**
 * Transfers of the internal rows of one transaction. Two sources or two wallets must give a row the same key,
 * but explorers often omit the trace address. So the position is a hash of the content and an ordinal among
 * equal rows.
 */
export function internalTransfers(
  transaction: ChainTransaction,
  rows: readonly InternalTransfer[],
): ChainTransfer[] {
  const seen = new Map<string, number>()
  return rows.map((row) => {
    const content = `${row.from}${row.to}${row.value}`
    const ordinal = seen.get(content) ?? 0
    seen.set(content, ordinal + 1)
    return {
      txHash: row.txHash,
      kind: 'internal',
      position: hash31(`${content}#${ordinal}`),
      item: 0,
      token: null,
      tokenId: null,
      from: row.from,
      to: row.to,
      raw: row.value,
      fanOut: 1,
      blockNumber: transaction.blockNumber,
      blockHash: transaction.blockHash,
      atMs: transaction.atMs,
    }
  })
}

/** FNV-1a, cut to a non-negative `integer`. */
function hash31(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 1
}
