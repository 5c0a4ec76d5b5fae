import { GAS_PRICE, TRANSFER_TOPIC } from './nodes/chain.ts'
import type { MemoryBlock, MemoryChain, MemoryTransaction } from './nodes/chain.ts'

// What explorers know of an account, from the chain that the doubles of nodes serve.

/** A row of one of the lists of an account, oldest first. */
export interface AccountRow {
  block: MemoryBlock
  transaction: MemoryTransaction
  /** ordinal in its transaction */
  index: number
  from: string
  to: string
  value: bigint
  /** contract of the token */
  token: string | null
}

export type AccountList = 'transactions' | 'internal' | 'erc20' | 'erc721' | 'erc1155'

export function accountRows(chain: MemoryChain, address: string, list: AccountList): AccountRow[] {
  return chain.naming(address).flatMap(({ block, transaction }) =>
    movesOf(transaction, list)
      .filter((row) => row.from === address || row.to === address)
      .map((row) => ({ block, transaction, ...row })),
  )
}

type Move = Omit<AccountRow, 'block' | 'transaction'>

function movesOf(one: MemoryTransaction, list: AccountList): Move[] {
  if (list === 'transactions') {
    const to = one.to ?? one.contractAddress!
    return [{ index: 0, from: one.from, to, value: one.value, token: null }]
  }
  if (list === 'internal')
    return one.internals.map(({ from, to, value }, index) => ({ index, from, to, value, token: null }))
  const topics = { erc20: 3, erc721: 4, erc1155: null }[list]
  return one.logs.flatMap((log) =>
    log.topics[0] === TRANSFER_TOPIC && log.topics.length === topics
      ? [
          {
            index: log.logIndex,
            from: ownerOf(log.topics[1]!),
            to: ownerOf(log.topics[2]!),
            value: BigInt(log.data === '0x' ? 0 : log.data),
            token: log.address,
          },
        ]
      : [],
  )
}

const ownerOf = (topic: string) => `0x${topic.slice(26)}`

/** A row as Etherscan and those that speak its dialect write it: all values are text. */
export function etherscanShape({ block, transaction, from, to, value, token, index }: AccountRow) {
  return {
    blockNumber: String(block.number),
    timeStamp: String(block.timestamp),
    hash: transaction.hash,
    nonce: String(transaction.nonce),
    blockHash: block.hash,
    transactionIndex: String(transaction.index),
    from,
    to: transaction.to === null ? '' : to,
    value: String(value),
    contractAddress: token ?? (transaction.to === null ? to : ''),
    gasPrice: String(GAS_PRICE),
    gasUsed: String(transaction.gasUsed),
    isError: transaction.succeeds ? '0' : '1',
    traceId: String(index),
  }
}
