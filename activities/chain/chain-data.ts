/** The normal form of what chain sources read. Hexadecimal is lower case; amounts are base units. */

export interface ChainBlock {
  number: number
  hash: string
  /** null where the source does not tell */
  parentHash: string | null
  atMs: number
}

export interface ChainTransaction {
  hash: string
  blockNumber: number
  blockHash: string
  atMs: number
  /** in its block; 0 where the source does not tell */
  index: number
  /** who pays; '' for nobody (coinbase) */
  from: string
  to: string | null
  /** native amount sent; on Bitcoin the sum of the inputs */
  value: bigint
  /** what the sender paid for gas, the data fee of a rollup included */
  fee: bigint
  success: boolean
  /** first four bytes of the call data; null for a plain transfer */
  selector: string | null
}

/**
 * native: the value of the transaction; internal: value sent by a contract; wrap: Deposit and Withdrawal of the wrapped
 * native asset, as transfers from and to the zero address; approval: `raw` is the new allowance (1 or 0 for all tokens).
 * Bitcoin has inputs and outputs, Solana changes of balances (native, spl; rent: lamports that the owner of a token account
 * keeps in it): they have one party, the other one is NOBODY.
 */
export type TransferKind =
  | ('native' | 'internal' | 'erc20' | 'erc721' | 'erc1155' | 'wrap' | 'approval')
  | ('input' | 'output')
  | ('spl' | 'rent')

export interface ChainTransfer {
  txHash: string
  kind: TransferKind
  /** log index; 0 for native; a hash of the row for internal (see internal-position.ts); else index in the transaction */
  position: number
  /** ordinal inside one ERC-1155 batch log */
  item: number
  token: string | null
  tokenId: bigint | null
  from: string
  to: string
  raw: bigint
  /** distinct receivers of this token in the transaction: tells airdrops from payments */
  fanOut: number
  blockNumber: number
  blockHash: string
  atMs: number
}

/** What one source saw in a range of blocks. */
export interface ChainRange {
  blocks: ChainBlock[]
  transactions: ChainTransaction[]
  transfers: ChainTransfer[]
}

/** Value that a contract sent inside a transaction. */
export interface InternalTransfer {
  txHash: string
  from: string
  to: string
  value: bigint
}

/** The other party of a transfer that has one only. */
export const NOBODY = ''

export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'
