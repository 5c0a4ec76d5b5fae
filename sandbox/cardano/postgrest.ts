import type { UpstreamReply } from '../upstream.ts'

export type Row = Record<string, unknown>

/** Rows of an answer at most. */
const mostRows = 1_000

export const refused = (code: string, message: string) => ({ code, details: null, hint: null, message })

type Fits = (row: Row) => boolean
const comparisons: Record<string, (a: number | string, b: number | string) => boolean> = {
  eq: (a, b) => a === b,
  neq: (a, b) => a !== b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
}

/** A page of rows by the filters, order, columns and limits of a query, as PostgREST gives it. */
export function pageOf(
  rows: readonly Row[],
  asked: { columns: readonly string[]; query: URLSearchParams; reserved: ReadonlySet<string> },
): UpstreamReply {
  const { columns, query, reserved } = asked
  const select = query.get('select')?.split(',') ?? columns
  const orders = (query.get('order') ?? '').split(',').filter((one) => one !== '')
  const named = [...query.keys()].filter((key) => !reserved.has(key))
  const filters = [
    ...named.map((column) => filterOf(column, query.get(column)!)),
    ...conditionsIn(query.get('and')),
  ]
  const used = [...select, ...orders.map((one) => one.split('.')[0]!), ...filters.map((one) => one.column)]
  const unknown = used.find((column) => !columns.includes(column))
  if (unknown !== undefined)
    return { status: 400, body: refused('42703', `column pgrst_source.${unknown} does not exist`) }
  const bad = filters.find((one) => one.fits === null)
  if (bad) return { status: 400, body: refused('PGRST100', `failed to parse filter (${bad.column})`) }
  const found = rows.filter((row) => filters.every((one) => one.fits!(row))).toSorted(byOrder(orders))
  const offset = Number(query.get('offset') ?? 0)
  const page = found.slice(offset, offset + Math.min(mostRows, Number(query.get('limit') ?? mostRows)))
  const range = page.length === 0 ? '*' : `${offset}-${offset + page.length - 1}`
  return {
    status: 200,
    body: page.map((row) => Object.fromEntries(select.map((column) => [column, row[column]]))),
    headers: { 'content-type': 'application/json; charset=utf-8', 'content-range': `${range}/*` },
  }
}

/** The conditions of `(a.gt.1,b.lte.2)`. */
function conditionsIn(text: string | null): ReturnType<typeof filterOf>[] {
  const [, inside = ''] = /^\((.*)\)$/.exec(text ?? '') ?? []
  return inside
    .split(',')
    .filter((one) => one !== '')
    .map((one) => filterOf(one.slice(0, one.indexOf('.')), one.slice(one.indexOf('.') + 1)))
}

/** `fits`: null if the filter is not understood */
function filterOf(column: string, text: string): { column: string; fits: Fits | null } {
  const [operator, value] = [text.slice(0, text.indexOf('.')), text.slice(text.indexOf('.') + 1)]
  const valueOf = (one: string) => (/^\d+$/.test(one) ? Number(one) : one)
  const comparableOf = (row: Row) => row[column] as number | string
  const [, list] = /^\((.*)\)$/.exec(value) ?? []
  if (operator === 'in' && list !== undefined) {
    const values = new Set(list.split(',').map(valueOf))
    return { column, fits: (row) => values.has(comparableOf(row)) }
  }
  const fits = comparisons[operator]
  return { column, fits: fits ? (row) => fits(comparableOf(row), valueOf(value)) : null }
}

/** By several columns, each as `column.asc`; null comes last. */
const byOrder = (orders: readonly string[]) => (a: Row, b: Row) => {
  for (const one of orders) {
    const [column, direction] = one.split('.') as [string, string | undefined]
    const sign = direction === 'desc' ? -1 : 1
    const [x, y] = [a[column] ?? '\uffff', b[column] ?? '\uffff'] as [number, number]
    if (x !== y) return x < y ? -sign : sign
  }
  return 0
}
