/** What a column of an export holds. Money and quantities are exact: see `fields.ts` for how. */
export interface Column {
  type: 'text' | 'texts' | 'integer' | 'bigint' | 'boolean' | 'instant' | 'decimal' | 'rounded'
  /** For the data dictionary and the catalog: what it means, its unit, what null says. */
  comment: string
  /** SQL of its value; absent: the column of `from` with its name. */
  sql?: string
  /** Decimal places of `decimal` and `rounded`. */
  scale?: number
}

/** A file is for a UTC year at most. The years of a large table are cut finer: see `partitions.ts`. */
export interface Cut {
  /** The column whose year it is. It is never null. */
  at: string
  /** Whose rows stay together: a year is cut by its hash. Absent: a year is cut by days. */
  key?: string
}

/** One table of an export. Nothing is exported that does not stand here by name. */
export interface Dataset {
  name: string
  family: string
  /** One line: what a row is. */
  description: string
  /** What follows FROM in Postgres. */
  from: string
  /** How its rows are spread over files; null: one file for all of it. */
  cut: Cut | null
  /** Order of the rows in a file: a query for a few of them reads a part of it. */
  sort: readonly string[]
  columns: Readonly<Record<string, Column>>
}

const column =
  (type: Column['type']) =>
  (comment: string, sql?: string): Column => ({ type, comment, ...(sql !== undefined && { sql }) })

export const text = column('text')
export const texts = column('texts')
export const integer = column('integer')
export const bigint = column('bigint')
export const boolean = column('boolean')
/** In UTC, to the microsecond. */
export const instant = column('instant')

/** A number of at most 38 digits, so many of them after the point. One that needs more stands in `unfit`. */
export const decimal = (scale: number, comment: string, sql?: string): Column => ({
  ...column('decimal')(comment, sql),
  scale,
})

/** A product of exact numbers, which may have any number of digits: rounded, and as text beside it all of them. */
export const rounded = (scale: number, comment: string, sql?: string): Column => ({
  ...column('rounded')(comment, sql),
  scale,
})

/** Most prices of upstreams are doubles: 17 digits, for which a coin worth a billionth of a dollar needs 26 places. */
export const PRICE_PLACES = 28
/** As many as ether has; sums of money as well: twenty digits are left before the point. */
export const AMOUNT_PLACES = 18

export const SOURCE = text('Who said so: the upstream, or what it was derived from')
export const FETCHED_AT = instant('When that was read')
