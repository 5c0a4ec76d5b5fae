import { Block } from 'bitcoinjs-lib'
import type { Transaction } from 'bitcoinjs-lib'
import { SourceUnavailable } from '../../errors.ts'

export interface BitcoinTransaction {
  txid: string
  /** outputs that it spends; a coinbase transaction spends none */
  spends: { txid: string; position: number }[]
  /** scripts of its outputs, in hexadecimal digits */
  scripts: string[]
}

export interface BitcoinBlock {
  hash: string
  parentHash: string
  atMs: number
  transactions: BitcoinTransaction[]
}

/**
 * Parses a block as the network sends it, in hexadecimal digits. Its header proves that it is the block of the
 * hash, and the header's Merkle root that the transactions are all of it. Throws SourceUnavailable.
 */
export function parseBitcoinBlock(input: { source: string; hash: string; hex: string }): BitcoinBlock {
  const { source, hash, hex } = input
  const block = parse(source, hash, hex)
  if (block.getId() !== hash)
    throw new SourceUnavailable(source, `the answer for block ${hash} is block ${block.getId()}`)
  const { prevHash, merkleRoot, timestamp, transactions } = block
  if (!transactions?.length || !isRootOf(merkleRoot!, transactions))
    throw new SourceUnavailable(source, `block ${hash}: its transactions are not those of its header`)
  return {
    hash,
    parentHash: shown(prevHash!),
    atMs: timestamp * 1_000,
    transactions: transactions.map((transaction) => ({
      txid: transaction.getId(),
      spends: transaction.isCoinbase()
        ? []
        : transaction.ins.map((input) => ({ txid: shown(input.hash), position: input.index })),
      scripts: transaction.outs.map(({ script }) => Buffer.from(script).toString('hex')),
    })),
  }
}

function parse(source: string, hash: string, hex: string): Block {
  try {
    return Block.fromHex(hex)
  } catch (error) {
    throw new SourceUnavailable(source, `block ${hash} cannot be parsed: ${(error as Error).message}`)
  }
}

/** A list whose end is repeated has the same root (CVE-2012-2459). */
function isRootOf(root: Uint8Array, transactions: Transaction[]): boolean {
  const mutated = { value: false }
  const found = Block.calculateMerkleRoot(transactions, false, mutated)
  return Buffer.compare(found, root) === 0 && !mutated.value
}

/** Hashes are shown in the reverse order of their bytes. */
const shown = (hash: Uint8Array) => Buffer.from(hash).reverse().toString('hex')
