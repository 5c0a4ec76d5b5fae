/** A column of an export. Money and quantities are exact; `fields.ts` explains how. */
export interface Column {
  type: 'text' | 'texts' | 'integer' | 'bigint' | 'boolean' | 'instant' | 'decimal' | 'rounded'
  /** Text for the data dictionary and the catalog: meaning, unit, and what null means. */
  comment: string
  /** SQL of its value; absent: the column of the same name in `from`. */
  sql?: string
  /** Decimal places of `decimal` and `rounded`. */
  scale?: number
}

/**
 * How a dataset is split into files. A file covers at most a UTC year; large years are cut finer, see
 * `partitions.ts`.
 */
export interface Cut {
  /** Column that decides the year; never null. */
  at: string
  /**
   * Column whose hash cuts a year, so that rows with the same value stay together. Absent: a year is cut by
   * days.
   */
  key?: string
}

/** One table of an export. Only what is declared here is exported. */
export interface Dataset {
  name: string
  family: string
  /** One line that says what a row is. */
  description: string
  /** FROM clause in Postgres. */
  from: string
  /** How its rows are split into files; null: one file for all rows. */
  cut: Cut | null
  /** Order of the rows in a file, so that a query for a few rows reads only a part. */
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
/** An instant with microseconds. */
export const instant = column('instant')

/**
 * A number of at most 38 digits, `scale` of them after the point. Numbers that need more digits are in
 * `unfit`.
 */
export const decimal = (scale: number, comment: string, sql?: string): Column => ({
  ...column('decimal')(comment, sql),
  scale,
})

/**
 * A product of exact numbers, with any number of digits: exported rounded, and with all digits as text. A
 * number that is too large even when rounded is null there.
 */
export const rounded = (scale: number, comment: string, sql?: string): Column => ({
  ...column('rounded')(comment, sql),
  scale,
})

/** The value of an amount, so that readers need no product of two exact columns. */
export const value = (comment: string, sql: string): Column =>
  rounded(AMOUNT_PLACES, `${comment}, USD; null: no price is known`, sql)

/**
 * Most upstream prices are doubles with 17 digits; a coin worth a billionth of a dollar then needs 26 places.
 */
export const PRICE_PLACES = 28
/** Decimal places of ether, also used for sums of money: twenty digits remain before the point. */
export const AMOUNT_PLACES = 18

export const SOURCE = text('Where the value comes from: the upstream, or the data that it was derived from')
export const FETCHED_AT = instant('When the value was read from its source')
