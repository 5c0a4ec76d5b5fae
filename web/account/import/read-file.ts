import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { badRequest } from '../../../api/errors.ts'
import { binance } from './formats/binance.ts'
import { bitfinex } from './formats/bitfinex.ts'
import { bitstamp } from './formats/bitstamp.ts'
import { bittrex } from './formats/bittrex.ts'
import { coinbase } from './formats/coinbase.ts'
import { cryptoCom } from './formats/crypto-com.ts'
import { ftx } from './formats/ftx.ts'
import { ghostfolio } from './formats/ghostfolio.ts'
import { koinly } from './formats/koinly.ts'
import { kraken } from './formats/kraken.ts'
import { kucoin } from './formats/kucoin.ts'
import { okx } from './formats/okx.ts'
import { poloniex } from './formats/poloniex.ts'
import { rotki } from './formats/rotki.ts'
import { sluice } from './formats/sluice.ts'
import type { Entry, ImportFormat, Row } from './movement.ts'

/** To add one, write its file and name it here. The first whose columns a file has reads it. */
export const FORMATS: readonly ImportFormat[] = [
  sluice,
  koinly,
  rotki,
  ghostfolio,
  coinbase,
  kraken,
  binance,
  okx,
  bitstamp,
  bitfinex,
  cryptoCom,
  kucoin,
  poloniex,
  bittrex,
  ftx,
].flat()

/** Lines before the header, such as the name of the user in Coinbase's files. */
const LONGEST_PREAMBLE = 10
export const MOST_LINES = 5_000

const activities = z.object({
  activities: z.array(
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.unknown()])),
  ),
})

/** What became of each line of a file. */
export interface ReadFile {
  /** Whose format the file has. */
  format: ImportFormat
  entries: Entry[]
  /** Texts by number of line. */
  lines: ReadonlyMap<number, string>
}

/** Reads a file. Throws 400 for one that no format fits. */
export function readFile(text: string): ReadFile {
  if (text.includes('\0')) throw badRequest('The file is no text. Save it as CSV in UTF-8.')
  const { header, rows } = text.trimStart().startsWith('{') ? activitiesIn(text.trim()) : tableIn(text)
  const format = FORMATS.find(({ columns }) => columns.every((column) => header.has(column.toLowerCase())))!
  if (rows.length > MOST_LINES)
    throw badRequest(
      `The file has ${rows.length} lines, and at most ${MOST_LINES} are read at once. Split it.`,
    )
  const lines = new Map(rows.map((row) => [row.line, row.text]))
  return { format, entries: format.read(rows).toSorted((a, b) => a.line - b.line), lines }
}

interface Table {
  /** Names of columns in lower case. */
  header: ReadonlySet<string>
  rows: Row[]
}

function tableIn(text: string): Table {
  const records = recordsIn(text)
  const at = records
    .slice(0, LONGEST_PREAMBLE)
    .findIndex(({ record }) => FORMATS.some(({ columns }) => hasAll(record, columns)))
  if (at < 0)
    throw badRequest(
      `No line of the file is a header that is known. The columns of ${sluice.name} are ${sluice.columns.join(', ')} and note.`,
    )
  const names = records[at]!.record.map((name) => name.trim().toLowerCase())
  const rows = records.slice(at + 1).map(({ record, line, text: itself }) => {
    const byName = new Map(names.map((name, i) => [name, (record[i] ?? '').trim()]))
    return { line, text: itself, get: (column: string) => byName.get(column.toLowerCase()) ?? '' }
  })
  return { header: new Set(names), rows }
}

const hasAll = (record: readonly string[], columns: readonly string[]): boolean => {
  const names = new Set(record.map((name) => name.trim().toLowerCase()))
  return columns.every((column) => names.has(column.toLowerCase()))
}

/** Records with the lines on which they begin. */
function recordsIn(text: string): { record: string[]; line: number; text: string }[] {
  try {
    const options = {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      raw: true,
      // Programs append lines with ends of their own, so one file may have several.
      record_delimiter: ['\r\n', '\n', '\r'],
    }
    const read = parse(text, options) as unknown as { record: string[]; raw: string }[]
    let next = 1
    const records = read.map(({ record, raw }) => {
      // It begins with the empty lines that were skipped.
      const line = next + newlinesIn(/^\s*/.exec(raw)![0])
      next += newlinesIn(raw)
      return { record, line, text: raw.trim() }
    })
    // Spreadsheets end files with lines of blanks or commas alone.
    return records.filter(({ record }) => record.some((field) => field.trim() !== ''))
  } catch (error) {
    throw badRequest(`The file is no CSV file: ${(error as Error).message}`)
  }
}

const newlinesIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0

/** Ghostfolio's JSON file as a table with the columns of its CSV file. A line is the number of the activity. */
function activitiesIn(text: string): Table {
  const read = activities.safeParse(jsonOf(text))
  if (!read.success) throw badRequest('The file has no "activities", as a file of Ghostfolio has.')
  const rows = read.data.activities.map((activity, i): Row => {
    const fields = new Map(Object.entries(activity).map(([name, value]) => [name.toLowerCase(), value]))
    const named: Record<string, string> = { code: 'symbol', price: 'unitprice', note: 'comment' }
    return {
      line: i + 1,
      text: JSON.stringify(activity),
      get: (column) => {
        const name = column.toLowerCase()
        const value = fields.get(name) ?? fields.get(named[name] ?? name)
        return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
      },
    }
  })
  return { header: new Set(ghostfolio.columns.map((column) => column.toLowerCase())), rows }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
