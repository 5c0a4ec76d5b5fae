import type { Exchange } from 'ccxt'
import { loadCcxt } from '../activities/exchanges/ccxt.ts'
import type { ExchangeSpec } from '../activities/exchanges/exchange.ts'
import { exchangeSpec } from '../activities/exchanges/exchanges.ts'
import { type Kind, KINDS } from '../activities/exchanges/kinds.ts'
import { DAY_MS, type Paging } from '../activities/exchanges/paging.ts'
import { LEFT_OUT, reasonOf } from '../activities/exchanges/requirements.ts'
import { streamsOf } from '../activities/exchanges/streams.ts'
import { EXCHANGES } from '../db/values/exchanges.ts'
import { printTable, replaceTables } from './page-tables.ts'
import { rateText } from './plan-text.ts'

/** Returns docs/coverage.md with fresh tables of exchange accounts. */
export async function printExchanges(page: string): Promise<string> {
  const { default: ccxt } = await loadCcxt()
  const classes = ccxt as unknown as Record<string, (new (options?: object) => Exchange) | undefined>
  const rows = EXCHANGES.map((exchange) => {
    const spec = exchangeSpec(exchange.id)
    return { exchange, spec, client: new classes[exchange.id]!({ options: spec.options }) }
  })
  return replaceTables(page, {
    'Connect an account': printTable(
      ['Exchange', '`connectionId`', 'It asks for', 'Allow only', 'Rights of the key'],
      rows.map(({ exchange, spec }) => [
        exchange.name,
        `\`${exchange.id}\``,
        exchange.fields.map(({ name }) => name).join(', '),
        exchange.allow,
        spec.rights ? 'checked' : 'not told, so not checked',
      ]),
    ),
    'What is read, and how far back': printTable(
      ['Exchange', 'List', 'History', 'Rows a page', 'Days a request', 'Pages', 'Requests'],
      rows.flatMap(({ exchange, spec, client }) => listRows(exchange.name, spec, client)),
    ),
    'What entries of ledgers count as': printTable(
      ['Exchange', 'Counts as', 'Its names'],
      rows.flatMap(({ exchange, spec }) => kindRows(exchange.name, spec)),
    ),
    'Not connected': printTable(
      ['Exchange', 'Why'],
      LEFT_OUT.map((one) => {
        const Class = classes[one.id]
        return [one.name, reasonOf(one, Class && new Class())]
      }),
    ),
  })
}

const listRows = (name: string, spec: ExchangeSpec, client: Exchange): string[][] =>
  streamsOf(spec, client).map(({ name: list, lists, paging }) => [
    name,
    lists === 'one' ? list : `${list}, by ${lists === 'symbols' ? 'market' : 'account'}`,
    historyText(paging),
    Number.isFinite(paging.page) ? paging.page.toLocaleString('en') : 'all',
    'windowMs' in paging && paging.windowMs !== null ? String(Math.ceil(paging.windowMs / DAY_MS)) : 'any',
    PAGES[paging.kind],
    rateText(spec.source),
  ])

function kindRows(exchange: string, spec: ExchangeSpec): string[][] {
  const named = spec.lists.flatMap(({ ledger, otherTransfers = {} }) => [
    ...Object.entries(ledger?.kinds ?? {}),
    ...Object.entries(otherTransfers).map(([name, { kind }]) => [name, kind] as const),
  ])
  const byKind = Object.groupBy(named, ([, kind]) => kind)
  return (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
    const names = (byKind[kind] ?? []).map(([name]) => `\`${name}\``)
    return names.length > 0 ? [[exchange, KINDS[kind], names.join(', ')]] : []
  })
}

const PAGES: Record<Paging['kind'], string> = {
  window: 'by time',
  offset: 'by offset',
  id: 'by id',
  back: 'by id, newest first',
}

function historyText(paging: Paging): string {
  if (paging.kind === 'id') return 'all'
  if (paging.historyMs !== null) return `${Math.round(paging.historyMs / DAY_MS)} days`
  return paging.startMs === null ? 'all' : `since ${new Date(paging.startMs).toISOString().slice(0, 10)}`
}
