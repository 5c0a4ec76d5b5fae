import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { tradePage } from '../activities/exchanges/rows.ts'
import type { TransactionRow } from '../db/exchanges/cursors.ts'
import { parseInstant } from '../db/values/time.ts'
import { explainFile } from './explain-error.ts'

export const FILL_COLUMNS = 'id,at,symbol,side,amount,cost,fee_asset,fee_amount'
const COLUMNS = FILL_COLUMNS.split(',')

/**
 * Reads a CSV file of fills: the exchange's own id, time (RFC 3339), BASE/QUOTE, buy or sell, amounts of base
 * and quote, and the fee (asset and amount, or both empty). Returns the rows of all lines, or no row and a
 * problem per bad line.
 */
export async function readFillFile(file: string): Promise<{ rows: TransactionRow[]; problems: string[] }> {
  const records: string[][] = []
  try {
    records.push(...parse(await readFile(file), { bom: true, relax_column_count: true }))
  } catch (error) {
    return { rows: [], problems: [explainFile(error)] }
  }
  const [header = [], ...lines] = records
  if (header.join() !== FILL_COLUMNS)
    return { rows: [], problems: [`line 1: the header is not ${FILL_COLUMNS}`] }
  const rows: TransactionRow[] = []
  const problems: string[] = []
  const seen = new Set<string>()
  lines.forEach((line, index) => {
    const [row, problem] = readLine(line)
    if (row && !seen.has(row.key)) rows.push(row)
    else problems.push(`line ${index + 2}: ${row ? 'this fill is in an earlier line' : problem}`)
    if (row) seen.add(row.key)
  })
  if (lines.length === 0) problems.push('no lines')
  return problems.length === 0 ? { rows, problems } : { rows: [], problems }
}

function readLine(line: readonly string[]): [row: TransactionRow | undefined, problem: string] {
  if (line.length !== COLUMNS.length) return [undefined, `${line.length} fields`]
  const [id, at = '', symbol, side, amount = '', cost = '', feeAsset = '', feeAmount = ''] = line
  const instant = parseInstant(at)
  if (!instant) return [undefined, `"${at}" is not an RFC 3339 timestamp`]
  if (amount.startsWith('-') || cost.startsWith('-')) return [undefined, 'an amount is below zero']
  if ((feeAsset === '') !== (feeAmount === ''))
    return [undefined, 'a fee needs both the asset and the amount']
  const fee = feeAsset === '' ? null : { currency: feeAsset, cost: feeAmount }
  const trade = { id, symbol, side, amount, cost, fee, timestamp: instant.getTime() }
  const { rows, quarantined } = tradePage([trade])
  return [rows[0], quarantined[0]?.reason ?? '']
}
