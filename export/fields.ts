import type { Column, Dataset } from './dataset.ts'

/** One column of the files. A dataset's column becomes one or two of them. */
export interface Field {
  name: string
  /** DuckDB's name of the type in Parquet. */
  type: string
  comment: string
  /**
   * DuckDB SQL that parses it from the texts of `sentSql`, which are named like the columns of the dataset.
   */
  read: string
  /** SQL of its total over many rows, for comparison: Postgres and DuckDB return the same text. */
  total: { postgres: string; duckdb: string }
}

/** Returns the columns of a dataset's files. */
export function fieldsOf(dataset: Dataset): Field[] {
  const columns = Object.entries(dataset.columns)
  const fields = columns.flatMap(([name, column]) => toFields(name, column))
  const decimals = columns.filter(([, { type }]) => type === 'decimal')
  return decimals.length === 0 ? fields : [...fields, unfit(decimals)]
}

/** DuckDB SQL of a dataset without rows. */
export const noRows = (dataset: Dataset): string =>
  `select ${fieldsOf(dataset)
    .map(({ name, type }) => `null::${type} as ${quote(name)}`)
    .join(', ')} where false`

/** Postgres SQL of the texts that COPY sends, one for each column of a dataset. */
export const sentColumns = ({ columns }: Dataset): string[] =>
  Object.entries(columns).map(([name, column]) => sentSql(name, column))

/** DuckDB SQL of the columns of its files, read from these texts. */
export const readColumns = (dataset: Dataset): string[] =>
  fieldsOf(dataset).map(({ read, name }) => `${read} as ${quote(name)}`)

/** Numbers have no zeros at their end. */
function sentSql(name: string, column: Column): string {
  const stored = storedSql(name, column)
  if (column.type === 'texts') return `to_jsonb(${stored})::text`
  return column.type === 'decimal' || column.type === 'rounded' ? `trim_scale(${stored})` : stored
}

/** DuckDB's types of the columns that COPY sends. */
export const sentTypes = ({ columns }: Dataset): Record<string, string> =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, 'VARCHAR']))

/** Postgres SQL of a column as it is stored. */
export const storedSql = (name: string, { sql }: Column): string =>
  sql === undefined ? quote(name) : `(${sql})`

export const quote = (name: string): string => `"${name}"`

function toFields(name: string, column: Column): Field[] {
  const stored = storedSql(name, column)
  const { comment, type } = column
  switch (type) {
    case 'text':
      return [textField(name, comment, { stored: `${stored}::text`, read: quote(name) })]
    case 'texts': {
      // No keyword contains the unit separator, chr(31).
      const joined = {
        postgres: `array_to_string(${stored}, chr(31))`,
        duckdb: `array_to_string(${quote(name)}, chr(31))`,
      }
      return [
        {
          name,
          comment,
          type: 'VARCHAR[]',
          read: `from_json(${quote(name)}, '["VARCHAR"]')`,
          total: digestTotal(joined),
        },
      ]
    }
    case 'integer':
    case 'bigint':
      return [plain(name, comment, { type: type.toUpperCase(), units: [stored, quote(name)] })]
    case 'boolean':
      return [plain(name, comment, { type: 'BOOLEAN', units: [`${stored}::int`, `${quote(name)}::int`] })]
    case 'instant':
      return [
        plain(name, comment, {
          type: 'TIMESTAMPTZ',
          units: [`(extract(epoch from ${stored}) * 1000000)::bigint`, `epoch_us(${quote(name)})`],
        }),
      ]
    case 'decimal': {
      const scale = column.scale!
      const units = `case when ${fits(stored, scale)} then ${shifted(stored, scale)} end`
      return [decimalField(name, comment, { scale, units, read: readDecimal(name, scale) })]
    }
    case 'rounded': {
      const scale = column.scale!
      const exact = `${name}_exact`
      const whole = `round(${stored}, ${scale})`
      return [
        decimalField(name, `${comment}. Rounded to ${scale} places: ${exact} has all digits`, {
          scale,
          units: `case when ${fits(whole, scale)} then ${shifted(whole, scale)} end`,
          read: readRounded(name, scale),
        }),
        textField(exact, `${comment}. All digits, as text`, {
          stored: `trim_scale(${stored})::text`,
          read: quote(name),
        }),
      ]
    }
  }
}

function plain(
  name: string,
  comment: string,
  { type, units }: { type: string; units: [postgres: string, duckdb: string] },
): Field {
  const [postgres, duckdb] = units
  return {
    name,
    comment,
    type,
    read: `${quote(name)}::${type}`,
    total: {
      postgres: `count(${postgres}) || '/' || coalesce(sum(${postgres}), 0)`,
      duckdb: `count(${duckdb}) || '/' || coalesce(sum(${duckdb}), 0)`,
    },
  }
}

function textField(name: string, comment: string, { stored, read }: { stored: string; read: string }): Field {
  return {
    name,
    comment,
    type: 'VARCHAR',
    read,
    total: digestTotal({ postgres: stored, duckdb: quote(name) }),
  }
}

/** Sums the first 32 bits of each text's MD5, so that the order of the rows does not matter. */
function digestTotal({ postgres, duckdb }: Field['total']): Field['total'] {
  const number = `md5_number_upper(${duckdb})`
  const bytes = [0, 8, 16, 24].map((shift) => `(((${number} >> ${shift}) & 255) << ${24 - shift})`)
  return {
    postgres: `count(${postgres}) || '/' || coalesce(sum(('x' || left(md5(${postgres}), 8))::bit(32)::bigint), 0)`,
    duckdb: `count(${duckdb}) || '/' || coalesce(sum((${bytes.join(' | ')})::hugeint), 0)`,
  }
}

function decimalField(
  name: string,
  comment: string,
  { scale, units, read }: { scale: number; units: string; read: string },
): Field {
  // DuckDB's sum overflows with two numbers of 38 digits, so it adds their halves separately.
  const digits = `replace(${quote(name)}::varchar, '.', '')::hugeint`
  return {
    name,
    comment,
    type: `DECIMAL(38,${scale})`,
    read,
    total: {
      postgres: `count(${units}) || '/' || coalesce(sum(${units}), 0)`,
      duckdb: `count(${quote(name)}) || '/' || ${['//', '%'].map((half) => `coalesce(sum(${digits} ${half} ${HALF}), 0)`).join(` || ':' || `)}`,
    },
  }
}

export const HALF = 10n ** 19n

const shifted = (value: string, scale: number): string => `round(${value} * 1e${scale})`

/** SQL condition: DECIMAL(38, scale) can hold every digit of the value. NaN and infinity do not fit. */
const fits = (value: string, scale: number): string =>
  `(abs(${value}) < 1e${38 - scale} and min_scale(${value}) <= ${scale})`

// DuckDB takes 6 us to parse a text as DECIMAL(38,18), but 0.1 us to parse its digits as an integer and shift
// the point.

/** SQL of the digits after the point. */
const fraction = (name: string): string => `split_part(${quote(name)}, '.', 2)`

const digitsOf = (name: string, scale: number): string =>
  `split_part(${quote(name)}, '.', 1) || rpad(${fraction(name)}, ${scale}, '0')`

/** SQL of the smallest number with this many decimal places. */
const unit = (scale: number): string => `0.${'1'.padStart(scale, '0')}::decimal(${scale},${scale})`

/** SQL that reads a decimal; null if it does not fit. */
const readDecimal = (name: string, scale: number): string =>
  scale === 0
    ? `case when not contains(${quote(name)}, '.') then ${integerOf(quote(name))} end`
    : `case when length(${fraction(name)}) <= ${scale} then ${integerOf(digitsOf(name, scale))} end * ${unit(scale)}`

/** SQL of a whole number of at most 38 digits; null for any other text. */
const integerOf = (text: string): string => `try_cast(try_cast(${text} as hugeint) as decimal(38,0))`

/**
 * SQL that rounds halves away from zero, as Postgres does. A number too large for its type is null: its exact
 * text has it.
 */
const readRounded = (name: string, scale: number): string =>
  `try_cast(try_cast(${digitsOf(name, scale)} as hugeint)
    + case when substr(${fraction(name)}, ${scale + 1}, 1) >= '5'
        then case when starts_with(${quote(name)}, '-') then -1 else 1 end else 0 end as decimal(38,0)) * ${unit(scale)}`

/** The column with numbers that do not fit their own column. There they are null; numbers are never cut. */
function unfit(decimals: readonly (readonly [string, Column])[]): Field {
  // The order of keys in jsonb.
  const ordered = decimals.toSorted(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
  const isUnfit = ([name, column]: readonly [string, Column]) => {
    const stored = storedSql(name, column)
    return `(${stored} is not null and not ${fits(stored, column.scale!)})`
  }
  const entries = ordered.map(
    ([name, column]) =>
      `'${name}', case when ${isUnfit([name, column])} then trim_scale(${storedSql(name, column)})::text end`,
  )
  const found = ordered.map(
    ([name, column]) =>
      `case when ${quote(name)} is not null and (${readDecimal(name, column.scale!)}) is null
        then '"${name}": "' || ${quote(name)} || '"' end`,
  )
  return textField(
    UNFIT,
    'JSON with the numbers that have more digits than their column holds; they are null there. Null (nearly always): there are none',
    {
      stored: `case when ${ordered.map(isUnfit).join(' or ')} then jsonb_strip_nulls(jsonb_build_object(${entries.join(', ')}))::text end`,
      read: `case when ${ordered.map(([name, column]) => `${quote(name)} is not null and (${readDecimal(name, column.scale!)}) is null`).join(' or ')}
        then '{' || concat_ws(', ', ${found.join(', ')}) || '}' end`,
    },
  )
}

export const UNFIT = 'unfit'
