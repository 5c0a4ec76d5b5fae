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

/** A value that tells some of the coins of the first page from others. */
const EXAMPLES: Record<CoinField, number> = {
  marketCap: 1_000_000_000,
  fullyDilutedValuation: 1_000_000_000,
  volume: 10_000_000,
  priceChange1h: 0.5,
  priceChange1d: 2,
  priceChange7d: 5,
  availableSupply: 1_000_000,
  totalSupply: 1_000_000,
  rank: 10,
  price: 1,
  riskScore: 50,
}

/** Query parameters such as `marketCap~greaterThan`. */
export const coinFilterShape: z.ZodRawShape = Object.fromEntries(
  Object.entries(filters).map(([name, { field, operator }]) => [
    name,
    decimalParam(
      `${field} ${COIN_OPERATORS[operator]} value${field === 'riskScore' ? '; requires includeRiskScore' : ''}`,
    )
      .meta({ example: EXAMPLES[field] })
      .optional(),
  ]),
)

/** Returns the filters among the parsed query parameters. */
export function coinFiltersOf(query: Readonly<Record<string, unknown>>): CoinFilter[] {
  return Object.entries(query).flatMap(([name, value]) => {
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined
    return filter && typeof value === 'string' ? [{ ...filter, value }] : []
  })
}
