import type { Exchange } from 'ccxt'
import type { TransactionRow } from '../../db/exchanges/cursors.ts'
import type { SourceSpec } from '../area.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import type { PageRequest, Paging } from './paging.ts'

/** One exchange: what differs from the others, over CCXT's class of it. */
export interface ExchangeSpec {
  /** `name` is also the connectionId and the id of CCXT's class. */
  source: SourceSpec
  /** Options of CCXT's class. */
  options: Record<string, unknown>
  /** Whether timestamps are signed, so that the offset to the clock of the exchange has to be known. */
  signsTime: boolean
  /** What to read of an account. */
  streams: readonly StreamSpec[]
  /** What the key may do beyond reading. Null: the exchange does not tell. */
  rights: ((client: Exchange) => Promise<readonly string[]>) | null
}

/** One list of an exchange. */
export interface StreamSpec {
  /** Name of its cursors. */
  name: string
  /** One list; one per symbol; or one for each name that the exchange gives (its accounts). */
  lists: 'one' | 'symbols' | ((client: Exchange) => Promise<string[]>)
  paging: Paging
  read: (client: Exchange, request: PageRequest) => Promise<ExchangePage>
}

/** Rows of one answer, and what the next request is made from. */
export interface ExchangePage {
  rows: TransactionRow[]
  quarantined: QuarantinedRow[]
  /** Items that the exchange sent. */
  count: number
  firstMs: number | null
  lastMs: number | null
  lastId: string | null
}
