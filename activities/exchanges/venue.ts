import type { Exchange } from 'ccxt'
import type { VenueTransaction } from '../../db/exchanges/cursors.ts'
import type { SourceSpec } from '../area.ts'
import type { RefusedRow } from '../parse-rows.ts'
import type { PageRequest, Paging } from './paging.ts'

/** One exchange: what differs from the others, over CCXT's class of it. */
export interface VenueSpec {
  /** `name` is also the connectionId and the id of CCXT's class. */
  source: SourceSpec
  /** Options of CCXT's class. */
  options: Record<string, unknown>
  /** Whether timestamps are signed, so that the offset to the clock of the venue has to be known. */
  signsTime: boolean
  /** What to read of an account. */
  streams: readonly StreamSpec[]
  /** What the key may do beyond reading. Null: the venue does not tell. */
  rights: ((client: Exchange) => Promise<readonly string[]>) | null
}

/** One list of a venue. */
export interface StreamSpec {
  /** Name of its cursors. */
  name: string
  /** One list; one per symbol; or one for each name that the venue gives (its accounts). */
  lists: 'one' | 'symbols' | ((client: Exchange) => Promise<string[]>)
  paging: Paging
  read: (client: Exchange, request: PageRequest) => Promise<VenuePage>
}

/** Rows of one answer, and what the next request is made from. */
export interface VenuePage {
  rows: VenueTransaction[]
  refused: RefusedRow[]
  /** Items that the venue sent. */
  count: number
  firstMs: number | null
  lastMs: number | null
  lastId: string | null
}
