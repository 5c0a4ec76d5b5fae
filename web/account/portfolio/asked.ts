import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AccountVisit } from '../visit.ts'
import { portfolioNotFound } from '../../../api/errors.ts'
import { currencyParam, enumParam, identifierParam } from '../../../api/params.ts'
import { parseInput } from '../../../api/parse-input.ts'
import type { SelectedPortfolios } from '../../../api/portfolios/select-portfolios.ts'
import { parseQueryString } from '../../../api/query-string.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { type Portfolio, readPortfolios } from '../../../db/portfolios/read-portfolios.ts'
import { RANGES } from '../../../db/values/periods.ts'

/** Paths of the pages below the base, which is that of the account or of the demo. */
export const PAGES = {
  overview: '',
  transactions: '/transactions',
  period: '/explain',
  coin: '/coin',
  positions: '/positions',
  report: '/report',
} as const
export type PageName = keyof typeof PAGES

/** What these pages need of a visit, signed in or not. */
export type PortfolioVisit = Pick<AccountVisit, 'request' | 'account' | 'flash' | 'show'>

/** Parameters of all pages about portfolios, so that a link keeps what was chosen. */
export const askedShape = {
  portfolio: identifierParam('Id of one portfolio; without it, all together').optional(),
  currency: currencyParam(),
  range: enumParam(RANGES).default('1m'),
}
export type Asked = z.output<z.ZodObject<typeof askedShape>> & {
  /** `/account`, or `/demo` */
  base: string
}

/** Parses the query of a page. A field that a form left empty was not asked for. Throws 400. */
export function readQuery<Shape extends z.ZodRawShape>(
  request: FastifyRequest,
  shape: Shape,
): z.output<z.ZodObject<Shape>> & Pick<Asked, 'base'> {
  const text = request.query as string
  const given = Object.entries(parseQueryString(text)).filter(([, value]) => value !== '')
  const input = { path: {}, query: Object.fromEntries(given), body: undefined, headers: {} }
  const asked = parseInput({ query: z.object(shape) }, input).query as z.output<z.ZodObject<Shape>>
  return { ...asked, base: `/${request.routeOptions.url!.split('/')[1]!}` }
}

/** A link to a page with what was chosen; `changed` replaces some of it. */
export function linkTo(
  page: PageName,
  asked: Asked,
  changed: Record<string, string | undefined> = {},
): string {
  const { portfolio, currency, range } = asked
  const fields = { portfolio, currency, range, ...changed }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, value)
  return `${asked.base}${PAGES[page]}?${query.toString()}`
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
