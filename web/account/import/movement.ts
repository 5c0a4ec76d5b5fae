import type { Decimal } from '../../../db/values/decimal.ts'

/** An amount above zero of a coin or of a currency, as the file names it. */
export interface Amount {
  amount: Decimal
  /** Code, symbol, id of a coin, or `eip155:1/erc20:0x..` */
  asset: string
}

/** What a file says happened at one instant. */
export interface Movement {
  at: Date
  received: Amount | null
  spent: Amount | null
  /** Paid beside what was spent. */
  fees: readonly Amount[]
  note: string | null
}

/** What became of a line. `line` counts from 1, as editors do. */
export type Entry = { line: number } & (
  | { movement: Movement }
  /** It should be a transaction and is not understood. */
  | { refused: string }
  /** It is none. */
  | { left: string }
)

/** A line of a table; columns are named in any case, and an absent one is empty. */
export interface Row {
  line: number
  /** As the file has it. */
  text: string
  get: (column: string) => string
}

/** How one program or exchange writes its files. */
export interface ImportFormat {
  name: string
  /** Columns that only its files have together. */
  columns: readonly string[]
  read: (rows: readonly Row[]) => Entry[]
}
