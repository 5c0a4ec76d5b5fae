import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse'
import { decimal, formatDecimal, sign } from '../db/values/decimal.ts'
import { HOUR_MS } from '../db/values/periods.ts'
import { explainFile } from './explain-error.ts'

export interface PriceLine {
  coinId: string
  at: Date
  usd: string
}

const COLUMNS = ['coin_id', 'at', 'usd']
const INSTANT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/
const PRICE = /^\d{1,40}(\.\d{1,40})?$/

/**
 * Reads a CSV file with the header `coin_id,at,usd`: known coins, full hours as RFC 3339 or a date for UTC midnight,
 * prices above zero. Returns all lines, or no line and a problem per bad line.
 */
export async function readPriceFile(
  file: string,
  coinIds: ReadonlySet<string>,
): Promise<{ lines: PriceLine[]; problems: string[] }> {
  const lines: PriceLine[] = []
  const problems: string[] = []
  const seen = new Set<string>()
  const source = createReadStream(file)
  const parser = source.pipe(parse({ info: true, bom: true, relax_column_count: true }))
  source.once('error', (error) => parser.destroy(error))
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      if (info.lines === 1) {
        if (record.join() !== COLUMNS.join())
          return { lines: [], problems: [`line 1: the header is not ${COLUMNS.join()}`] }
        continue
      }
      const problem = problemOf(record, coinIds)
      const [coinId = '', at = '', usd = ''] = record
      const key = `${coinId} ${Date.parse(at)}`
      if (problem !== null) problems.push(`line ${info.lines}: ${problem}`)
      else if (seen.has(key))
        problems.push(`line ${info.lines}: this coin and instant are in an earlier line`)
      else lines.push({ coinId, at: new Date(at), usd: formatDecimal(decimal(usd)) })
      seen.add(key)
    }
  } catch (error) {
    problems.push(explainFile(error))
  }
  if (lines.length === 0 && problems.length === 0) problems.push('no lines')
  return { lines: problems.length === 0 ? lines : [], problems }
}

function problemOf(record: readonly string[], coinIds: ReadonlySet<string>): string | null {
  const [coinId = '', at = '', usd = ''] = record
  if (record.length !== COLUMNS.length) return `${record.length} fields`
  if (!coinIds.has(coinId)) return `unknown coin "${coinId}"`
  if (!isFullHour(at)) return `"${at}" is neither a full hour (RFC 3339) nor a date`
  if (!PRICE.test(usd) || sign(decimal(usd)) <= 0) return `"${usd}" is not a price`
  return null
}

function isFullHour(text: string): boolean {
  if (!INSTANT.test(text)) return false
  const ms = Date.parse(text)
  // Date.parse turns 30 February into 2 March, so check that the day exists.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text.slice(0, 10)) return false
  return ms % HOUR_MS === 0 && ms >= Date.UTC(2009, 0) && ms <= Date.now()
}
