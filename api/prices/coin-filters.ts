import type { z } from 'zod'
import {
  COIN_FIELDS,
  COIN_OPERATORS,
  type CoinField,
  type CoinFilter,
  type CoinOperator,
} from '../../db/prices/read-coins.ts'
import { decimalParam } from '../params.ts'

const filters: Record<string, { field: CoinField; operator: CoinOperator }> = Object.fromEntries(
  COIN_FIELDS.flatMap((field) =>
    (Object.keys(COIN_OPERATORS) as CoinOperator[]).flatMap((operator) =>
      // Published clients use either separator.
      ['~', '-'].map((separator) => [`${field}${separator}${operator}`, { field, operator }]),
    ),
  ),
)

/** Query parameters such as `marketCap~greaterThan`. */
export const coinFilterShape: z.ZodRawShape = Object.fromEntries(
  Object.entries(filters).map(([name, { field, operator }]) => [
    name,
    decimalParam(
      `${field} ${COIN_OPERATORS[operator]} value${field === 'riskScore' ? '; requires includeRiskScore' : ''}`,
    ).optional(),
  ]),
)

/** Returns the filters among the parsed query parameters. */
export function coinFiltersOf(query: Readonly<Record<string, unknown>>): CoinFilter[] {
  return Object.entries(query).flatMap(([name, value]) => {
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined
    return filter && typeof value === 'string' ? [{ ...filter, value }] : []
  })
}
