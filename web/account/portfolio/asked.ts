import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { portfolioNotFound } from '../../../api/errors.ts'
import { currencyParam, enumParam, identifierParam } from '../../../api/params.ts'
import { parseInput } from '../../../api/parse-input.ts'
import type { SelectedPortfolios } from '../../../api/portfolios/select-portfolios.ts'
import { parseQueryString } from '../../../api/query-string.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { type Portfolio, readPortfolios } from '../../../db/portfolios/read-portfolios.ts'
import { RANGES } from '../../../db/values/periods.ts'

export const OVERVIEW = '/account'
export const TRANSACTIONS = '/account/transactions'
export const EXPLAIN_PERIOD = '/account/explain'
export const EXPLAIN_COIN = '/account/coin'

/** Parameters of all pages about portfolios, so that a link keeps what was chosen. */
export const askedShape = {
  portfolio: identifierParam('Id of one portfolio; without it, all together').optional(),
  currency: currencyParam(),
  range: enumParam(RANGES).default('1m'),
}
export type Asked = z.output<z.ZodObject<typeof askedShape>>

/** Parses the query of a page. A field that a form left empty was not asked for. Throws 400. */
export function readQuery<Shape extends z.ZodRawShape>(
  request: FastifyRequest,
  shape: Shape,
): z.output<z.ZodObject<Shape>> {
  const text = request.query as string
  const given = Object.entries(parseQueryString(text)).filter(([, value]) => value !== '')
  const input = { path: {}, query: Object.fromEntries(given), body: undefined, headers: {} }
  return parseInput({ query: z.object(shape) }, input).query as z.output<z.ZodObject<Shape>>
}

/** A link to a page with what was chosen; `changed` replaces some of it. */
export function linkTo(path: string, asked: Asked, changed: Record<string, string | undefined> = {}): string {
  const { portfolio, currency, range } = asked
  const fields = { portfolio, currency, range, ...changed }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, value)
  return `${path}?${query.toString()}`
}

/** All portfolios of an account, and those that a page is about. Throws 404 for one that the account lacks. */
export async function selectOwn(
  db: ReadonlyDb,
  { accountId, portfolio }: { accountId: string; portfolio: string | undefined },
): Promise<{ all: Portfolio[]; selected: SelectedPortfolios }> {
  const all = await readPortfolios(db, { accountId })
  const portfolios = portfolio === undefined ? all : all.filter(({ id }) => id === portfolio)
  if (portfolio !== undefined && portfolios.length === 0) throw portfolioNotFound(portfolio)
  return { all, selected: { accountId, portfolios, isWhole: portfolio === undefined } }
}
