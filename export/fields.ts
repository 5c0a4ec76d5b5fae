import type { Column, Dataset } from './dataset.ts'

/** One column of the files. A column of a dataset is one of them, and sometimes two. */
export interface Field {
  name: string
  /** In Parquet, as DuckDB calls it. */
  type: string
  comment: string
  /** SQL in Postgres of what COPY sends. */
  sent: string
  /** SQL in DuckDB that reads it back from the text of that name. */
  read: string
  /** What is compared of it over many rows, in Postgres and in DuckDB: both give the same text. */
  total: { postgres: string; duckdb: string }
}

/**
 * The columns of a dataset's files. Numbers travel as whole ones, without their point: DuckDB takes 4 to 30 us to read a
 * text as DECIMAL(38,s), and 0.2 us to read it as an integer and move the point, which rounds nothing.
 */
export function fieldsOf(dataset: Dataset): Field[] {
  const columns = Object.entries(dataset.columns)
  const fields = columns.flatMap(([name, column]) => toFields(name, column))
  const decimals = columns.filter(([, { type }]) => type === 'decimal')
  return decimals.length === 0 ? fields : [...fields, unfit(decimals)]
}

/** SQL in Postgres of a column as it is stored. */
export const storedSql = (name: string, { sql }: Column): string =>
  sql === undefined ? quote(name) : `(${sql})`

export const quote = (name: string): string => `"${name}"`

function toFields(name: string, column: Column): Field[] {
  const stored = storedSql(name, column)
  const { comment, type } = column
  switch (type) {
    case 'text':
      return [textField(name, comment, `${stored}::text`)]
    case 'texts': {
      // No keyword holds the separator of units.
      const joined = {
        postgres: `array_to_string(${stored}, chr(31))`,
        duckdb: `array_to_string(${quote(name)}, chr(31))`,
      }
      return [
        {
          ...{ name, comment, type: 'VARCHAR[]', sent: `to_jsonb(${stored})::text` },
          read: `from_json(${quote(name)}, '["VARCHAR"]')`,
          total: digestTotal(joined),
        },
      ]
    }
    case 'integer':
    case 'bigint':
      return [plain(name, comment, { type: type.toUpperCase(), sent: stored, units: [stored, quote(name)] })]
    case 'boolean':
      return [
        plain(name, comment, {
          type: 'BOOLEAN',
          sent: stored,
          units: [`${stored}::int`, `${quote(name)}::int`],
        }),
      ]
    case 'instant':
      return [
        plain(name, `${comment} (UTC)`, {
          ...{ type: 'TIMESTAMP', sent: `${stored} at time zone 'UTC'` },
          units: [`(extract(epoch from ${stored}) * 1000000)::bigint`, `epoch_us(${quote(name)})`],
        }),
      ]
    case 'decimal': {
      const sent = `case when ${fits(stored, column.scale!)} then ${shifted(stored, column.scale!)} end`
      return [decimalField(name, comment, { scale: column.scale!, sent })]
    }
    case 'rounded': {
      const scale = column.scale!
      const exact = `${name}_exact`
      const near = `round(${stored}, ${scale})`
      // Far from any amount of money; what reached it would fail the export in DuckDB, not be cut.
      const sent = shifted(near, scale)
      return [
        decimalField(name, `${comment}. Rounded to ${scale} places: ${exact} has all of them`, {
          scale,
          sent,
        }),
        textField(exact, `${comment}. All digits, as text`, `trim_scale(${stored})::text`),
      ]
    }
  }
}

function plain(
  name: string,
  comment: string,
  { type, sent, units }: { type: string; sent: string; units: [postgres: string, duckdb: string] },
): Field {
  const [postgres, duckdb] = units
  return {
    ...{ name, comment, type, sent, read: `${quote(name)}::${type}` },
    total: {
      postgres: `count(${postgres}) || '/' || coalesce(sum(${postgres}), 0)`,
      duckdb: `count(${duckdb}) || '/' || coalesce(sum(${duckdb}), 0)`,
    },
  }
}

function textField(name: string, comment: string, sent: string): Field {
  const total = digestTotal({ postgres: sent, duckdb: quote(name) })
  return { name, comment, type: 'VARCHAR', sent, read: quote(name), total }
}

/** The first 32 bits of each text's MD5 as a number, added up: in whatever order the rows come. */
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
  { scale, sent }: { scale: number; sent: string },
): Field {
  // Numbers of 38 digits, of which two are too many for DuckDB's sum: it adds their halves.
  const digits = `replace(${quote(name)}::varchar, '.', '')::hugeint`
  return {
    ...{ name, comment, type: `DECIMAL(38,${scale})`, sent },
    read: `${quote(name)}::hugeint::decimal(38,0) * ${unit(scale)}`,
    total: {
      postgres: `count(${sent}) || '/' || coalesce(sum(${sent}), 0)`,
      duckdb: `count(${quote(name)}) || '/' || ${['//', '%'].map((half) => `coalesce(sum(${digits} ${half} ${HALF}), 0)`).join(` || ':' || `)}`,
    },
  }
}

export const HALF = 10n ** 19n

/** One in the last of so many decimal places. */
const unit = (scale: number): string =>
  scale === 0 ? '1::decimal(1,0)' : `0.${'1'.padStart(scale, '0')}::decimal(${scale},${scale})`

const shifted = (value: string, scale: number): string =>
  scale === 0 ? `round(${value})` : `round(${value} * 1e${scale})`

/** Whether DECIMAL(38, scale) holds it to the last digit. Neither NaN nor infinity fits. */
const fits = (value: string, scale: number): string =>
  `(abs(${value}) < 1e${38 - scale} and round(${value}, ${scale}) = ${value})`

/** A number is never cut: what its column cannot hold is null there, and stands here whole. */
function unfit(decimals: readonly (readonly [string, Column])[]): Field {
  const parts = decimals.map(([name, column]) => {
    const stored = storedSql(name, column)
    return { name, stored, isUnfit: `(${stored} is not null and not ${fits(stored, column.scale!)})` }
  })
  const entries = parts.map(
    ({ name, stored, isUnfit }) => `'${name}', case when ${isUnfit} then trim_scale(${stored})::text end`,
  )
  const sent = `case when ${parts.map(({ isUnfit }) => isUnfit).join(' or ')} then jsonb_strip_nulls(jsonb_build_object(${entries.join(', ')}))::text end`
  return textField(
    UNFIT,
    'JSON: the numbers with more digits than their column holds, where they are null. Null, as nearly always: there are none',
    sent,
  )
}

export const UNFIT = 'unfit'
