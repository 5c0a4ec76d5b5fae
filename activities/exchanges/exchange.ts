import type { Exchange } from 'ccxt'
import type { TransactionRow } from '../../db/exchanges/cursors.ts'
import type { SourceSpec } from '../area.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import type { PageRequest, Paging } from './paging.ts'

/** What an exchange needs beyond its CCXT class. */
export interface ExchangeSpec {
  /** `name` is also the connectionId and the id of CCXT's class. The area adds the texts about it. */
  source: Omit<SourceSpec, 'meaning' | 'without'>
  /** Options of CCXT's class. */
  options: Record<string, unknown>
  /** Whether requests sign timestamps and so need the offset to the exchange's clock. */
  signsTime: boolean
  /** The lists to read of an account. */
  streams: readonly StreamSpec[]
  /** Rights of the key beyond reading; null: the exchange does not tell */
  rights: ((client: Exchange) => Promise<readonly string[]>) | null
}

/** One list of an exchange. */
export interface StreamSpec {
  /** Name of its cursors. */
  name: string
  /** One list, one per symbol, or one per name that the function returns (such as accounts). */
  lists: 'one' | 'symbols' | ((client: Exchange) => Promise<string[]>)
  paging: Paging
  read: (client: Exchange, request: PageRequest) => Promise<ExchangePage>
}

/** Rows of one answer, with the values that the next request needs. */
export interface ExchangePage {
  rows: TransactionRow[]
  quarantined: QuarantinedRow[]
  /** Number of items that the exchange sent. */
  count: number
  firstMs: number | null
  lastMs: number | null
  lastId: string | null
}
