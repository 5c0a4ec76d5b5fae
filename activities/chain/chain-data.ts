/** The common form of the data of all chain sources. Hexadecimal is lower case; amounts are in base units. */

export interface ChainBlock {
  number: number
  hash: string
  /** null: the source does not state it */
  parentHash: string | null
  atMs: number
}

export interface ChainTransaction {
  hash: string
  blockNumber: number
  blockHash: string
  atMs: number
  /** position in the block; 0 if the source does not state it */
  index: number
  /** sender, or payer of the inputs; '' for a coinbase transaction */
  from: string
  to: string | null
  /** native amount sent; on Bitcoin the sum of the inputs */
  value: bigint
  /** gas paid by the sender, including the data fee of a rollup */
  fee: bigint
  success: boolean
  /** first four bytes of the call data; null for a plain transfer */
  selector: string | null
}

/**
 * native: the value of the transaction; internal: value sent by a contract; mint: what a deposit to a rollup
 * credits to its sender, even if the transaction fails; withdrawal: of a validator; operation: what a smart
 * account paid for its operation (ERC-4337), 0 if another paid; wrap: Deposit and Withdrawal of the wrapped
 * native asset, as transfers from and to the zero address; approval: `raw` is the new allowance (1 or 0 for all
 * tokens). Bitcoin has inputs and outputs. Solana has balance changes (native, spl; rent:
 * lamports that the owner locks in a token account). Both have one party; the other is NOBODY. reward: what a network
 * gives for staking, also from NOBODY. The XRP Ledger and Sui have balance changes too (native, issued; rent: what
 * deleted objects of Sui give back); issued are also the denominations of the Cosmos SDK, the jettons of TON and the
 * native tokens of Cardano. Cardano has inputs and outputs of coins; rent: the deposit of a stake address. fee: what
 * the sender paid in a token, to NOBODY, also if the transaction fails; on TON, where a transaction is a trace over many
 * accounts, what each account paid.
 */
export type TransferKind =
  | ('native' | 'internal' | 'mint' | 'withdrawal' | 'operation')
  | ('erc20' | 'erc721' | 'erc1155' | 'wrap' | 'approval')
  | ('input' | 'output')
  | ('spl' | 'rent' | 'reward' | 'issued' | 'fee')

export interface ChainTransfer {
  txHash: string
  kind: TransferKind
  /**
   * log index; 0 for native and mint; a hash of the row for internal (see sources/native-transfers.ts); the
   * chain's own index of a withdrawal; else index in the transaction
   */
  position: number
  /** ordinal inside one ERC-1155 batch log */
  item: number
  token: string | null
  tokenId: bigint | null
  from: string
  to: string
  raw: bigint
  /** number of distinct receivers of this token in the transaction; distinguishes airdrops from payments */
  fanOut: number
  blockNumber: number
  blockHash: string
  atMs: number
}

/** The rows that one source returned for a range of blocks. */
export interface ChainRange {
  blocks: ChainBlock[]
  transactions: ChainTransaction[]
  transfers: ChainTransfer[]
}

/** With this many receivers of one token in one transaction (`fanOut`), a payment counts as a multisend. */
export const MULTISEND_RECEIVERS = 25

/** Value that a contract sent inside a transaction. */
export interface InternalTransfer {
  txHash: string
  from: string
  to: string
  value: bigint
}

/** Stands for the missing party of a one-sided transfer. */
export const NOBODY = ''

export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

/** What the contract or mint of a token says about it. Null when it says nothing, or nothing readable. */
export interface ChainToken {
  address: string
  symbol: string | null
  name: string | null
  decimals: number | null
}
