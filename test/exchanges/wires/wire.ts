/** A row of an account, which each exchange writes in its own format. */
export interface AccountRow {
  /** Rises in the order in which the exchange recorded it. */
  id: number
  /** Unix milliseconds. */
  at: number
  /** Unique, so that a row is known by it. */
  amount: string
  /** `margin`: a fill of a position on margin, which moves no coins */
  kind: 'fill' | 'margin' | 'deposit' | 'withdrawal' | 'dust' | 'reward'
  isPending: boolean
}

export type Params = Record<string, string | undefined>
export type Select = (rows: readonly AccountRow[], params: Params) => AccountRow[]

/** One endpoint of an exchange. */
export interface WireList {
  path: RegExp
  kinds: readonly AccountRow['kind'][]
  select: Select
  row: (row: AccountRow) => unknown
  body: (items: unknown[]) => unknown
  /** Whether its rows appear when they are final, so that none changes. */
  isFinal?: true
}

/** An exchange as its class of CCXT sees it. */
export interface Wire {
  /** Its id and CCXT's symbol of the one market. */
  market: readonly [id: string, symbol: string]
  /** Fields of the market that its class reads. */
  marketInfo?: object
  apiKey?: string
  /** What its class keeps of currencies that it loaded. */
  options?: Record<string, unknown>
  /** How exact its times are. */
  tickMs?: Partial<Record<AccountRow['kind'], number>>
  lists: readonly WireList[]
}

interface ByTime {
  /** Names of the parameters; absent: the exchange takes none. */
  from?: string
  to?: string
  limit?: string
  /** Unit of the times in milliseconds, or a date as text. */
  unit?: number | 'text'
  /** What it refuses: more rows than this, and longer windows. */
  most: number
  days?: number
  /** Rows of a page when no limit is sent. */
  usual?: number
  order: 'newest' | 'oldest'
  /** Whether a row at the end of the window is left out. */
  excludesEnd?: boolean
  /** Whether a row at its start is. */
  excludesStart?: boolean
}

export const DAY_MS = 86_400_000

/** Rows between two times. Refuses what the exchange refuses. */
export function byTime(rule: ByTime): Select {
  return (rows, params) => {
    const { from, to, limit } = bounds(rule, params)
    const found = rows.filter(
      ({ at }) => (rule.excludesStart ? at > from : at >= from) && (rule.excludesEnd ? at < to : at <= to),
    )
    return rule.order === 'oldest' ? oldestFirst(found).slice(0, limit) : newestFirst(found).slice(0, limit)
  }
}

/** Rows between two times, from the newest one on, after as many as `skip` says. */
export function byOffset(
  rule: Omit<ByTime, 'order'>,
  skip: (params: Params, limit: number) => number,
): Select {
  return (rows, params) => {
    const { from, to, limit } = bounds({ ...rule, order: 'newest' }, params)
    const start = skip(params, limit)
    const found = rows.filter(({ at }) => at >= from && at <= to)
    return newestFirst(found).slice(start, start + limit)
  }
}

/** Rows from an id on, in the order in which they were recorded. */
export function fromId(rule: {
  id: string
  limit: string
  most: number
  excludes?: boolean
  idOf?: (id: string) => number
}): Select {
  const { id, limit, most, excludes = false, idOf = Number } = rule
  return (rows, params) => {
    const first = params[id] === undefined ? 0 : idOf(params[id])
    const found = rows.filter((row) => (excludes ? row.id > first : row.id >= first))
    return byRecord(found).slice(0, limitOf({ limit, most }, params))
  }
}

/** Rows from an id down. */
export const backFromId =
  (rule: { id: string; limit: string; most: number }): Select =>
  (rows, params) => {
    const last = Number(params[rule.id] ?? 0) || Infinity
    return byRecord(rows.filter((row) => row.id <= last))
      .reverse()
      .slice(0, limitOf(rule, params))
  }

export const number = (params: Params, name: string): number => Number(params[name] ?? 0)

function bounds(rule: ByTime, params: Params): { from: number; to: number; limit: number } {
  const from = rule.from === undefined ? 0 : timeOf(params[rule.from], rule.unit, 0)
  const to = rule.to === undefined ? Infinity : timeOf(params[rule.to], rule.unit, Infinity)
  if (rule.days !== undefined && to - from > rule.days * DAY_MS)
    throw new Error(`a window of ${(to - from) / DAY_MS} days, not ${rule.days}`)
  return { from, to, limit: limitOf(rule, params) }
}

function limitOf(
  { limit, most, usual = most }: Pick<ByTime, 'limit' | 'most' | 'usual'>,
  params: Params,
): number {
  const wanted = limit === undefined || params[limit] === undefined ? usual : Number(params[limit])
  if (!(wanted > 0 && wanted <= most)) throw new Error(`a limit of ${wanted}, not 1 to ${most}`)
  return wanted
}

function timeOf(text: string | undefined, unit: ByTime['unit'] = 1, absent: number): number {
  if (text === undefined) return absent
  const ms = unit === 'text' ? Date.parse(text) : Number(text) * unit
  if (!Number.isFinite(ms)) throw new Error(`no time: ${text}`)
  return ms
}

const byRecord = (rows: readonly AccountRow[]) => [...rows].sort((a, b) => a.id - b.id)
const oldestFirst = (rows: readonly AccountRow[]) => [...rows].sort((a, b) => a.at - b.at || a.id - b.id)
const newestFirst = (rows: readonly AccountRow[]) => oldestFirst(rows).reverse()

/** An exchange's price of everything. */
export const PRICE = '20000.5'
export const iso = ({ at }: AccountRow) => new Date(at).toISOString()
export const hash = ({ id }: AccountRow) => `0x${id.toString(16).padStart(64, '0')}`
export const signed = ({ kind, amount }: AccountRow) => (kind === 'withdrawal' ? `-${amount}` : amount)
export const plain = (items: unknown[]) => items

/** Deposits and withdrawals at two paths that work alike. */
export const transfers = (
  paths: { deposit: RegExp; withdrawal: RegExp },
  shared: Pick<WireList, 'select' | 'body'>,
  row: WireList['row'],
): WireList[] =>
  (['deposit', 'withdrawal'] as const).map((kind) => ({ ...shared, path: paths[kind], kinds: [kind], row }))

/** An endpoint that answers the same, whatever the account holds. */
export const constant = (path: RegExp, body: unknown): WireList => ({
  path,
  kinds: [],
  select: () => [],
  row: () => null,
  body: () => body,
})
