import type { Exchange } from 'ccxt'
import type { TransactionRow } from '../../db/exchanges/cursors.ts'
import type { SourceSpec } from '../area.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import type { Kind } from './kinds.ts'
import type { LedgerSpec } from './ledger-rows.ts'
import type { PageEnds, PageRequest, Paging } from './paging.ts'
import type { StatusMeanings } from './transfer-status.ts'

/** The row of an exchange: what its CCXT class does not declare. */
export interface ExchangeSpec {
  /** `name` is also the connectionId and the id of CCXT's class. The area adds the texts about it. */
  source: Omit<SourceSpec, 'meaning' | 'without'>
  /** Path of a public endpoint without a key, which answers 200 while the exchange is reachable. */
  probe: string
  /** Options of CCXT's class. */
  options: Record<string, unknown>
  /** Whether requests sign timestamps and so need the offset to the exchange's clock. */
  signsTime: boolean
  /**
   * What the class loads before it reads accounts, if not all markets and currencies: spot markets only, or no
   * currencies, since they are where it cannot be asked. `options`: where it keeps more than those.
   */
  loads?: { markets?: 'fetchSpotMarkets'; currencies?: false; options?: readonly string[] }
  /** Parameters of the requests whose balances add up to those of the account. Default: one request */
  wallets?: readonly Record<string, unknown>[]
  /** The lists to read of an account. */
  lists: readonly ListSpec[]
  /** Rights of the key beyond reading; null: the exchange does not tell */
  rights: ((client: Exchange) => Promise<readonly string[]>) | null
  /** What its statuses of transfers mean that CCXT's class passes on as they are, beside usual words. */
  statuses?: StatusMeanings
  /** The asset behind the code that CCXT gives, if that is another one. */
  assetOf?: (code: string) => string
}

/** CCXT's methods that read lists of an account. */
export type ListMethod =
  | 'fetchMyTrades'
  | 'fetchMyDustTrades'
  | 'fetchDeposits'
  | 'fetchWithdrawals'
  | 'fetchDepositsWithdrawals'
  | 'fetchLedger'

/** One list of an account. What is absent follows from the features that CCXT declares of the method. */
export interface ListSpec {
  /** Name of its cursors. */
  name: string
  method: ListMethod
  /** How pages follow each other. Default: by time */
  by?: Paging['kind']
  /** Maximum rows per page; Infinity: all rows of a window come in one answer */
  page?: number
  /** Longest time range of one request in days; null: any */
  windowDays?: number | null
  /** How many days the list is kept, or the date of its start. */
  history?: number | `${number}-${number}-${number}`
  /** Whether a full page holds the newest or the oldest rows of its window. Default: the newest */
  fullPage?: 'newest' | 'oldest'
  /** Id in the first request of a list that is read by id. */
  first?: string
  /** False: requests take no times, so a list by offset goes back from the newest row. */
  isTimed?: false
  /** One list, one per symbol, or one per name that the function returns (such as accounts). */
  of?: StreamSpec['lists']
  /** The arguments of the method, where CCXT's own ones do not say the request. */
  ask?: (request: PageRequest) => Arguments
  /** Parameters of every request. */
  params?: Record<string, unknown>
  /** What entries of a ledger mean. */
  ledger?: LedgerSpec
  /** What transfers mean that CCXT calls neither a deposit nor a withdrawal, by its word for them. */
  otherTransfers?: OtherTransfers
  /** Whether the effect of a row, as the exchange sent it, is in another list. */
  isElsewhere?: (info: Record<string, unknown>) => boolean
  /** Whether its transfers have no ids, and hashes only later, so that time and amount are their key. */
  hasNoIds?: true
  /** Whether CCXT leaves out other kinds of rows of an answer, so that pages end where the answer does. */
  isMixed?: true
}

/** Transfers of another kind: the direction in which they go, and what they mean. */
export type OtherTransfers = Readonly<Record<string, { like: TransferKind; kind: Kind }>>
export type TransferKind = 'deposit' | 'withdrawal'

/** Arguments of CCXT's methods, without the symbol. Times are in Unix milliseconds. */
export interface Arguments {
  since?: number | undefined
  limit?: number | undefined
  params: Record<string, unknown>
}

/** A list as it is read, by the row of its exchange and what CCXT declares. */
export interface StreamSpec {
  /** Name of its cursors. */
  name: string
  /** One list, one per symbol, or one per name that the function returns (such as accounts). */
  lists: 'one' | 'symbols' | ((client: Exchange) => Promise<string[]>)
  paging: Paging
  read: (client: Exchange, request: PageRequest) => Promise<ExchangePage>
}

/** Rows of one answer, with the values that the next request needs. */
export interface ExchangePage extends PageEnds {
  rows: TransactionRow[]
  quarantined: QuarantinedRow[]
}
