import type { ServedMarket } from '../../db/prediction/read-markets.ts'
import { invalidParameter } from '../errors.ts'
import { textParam } from '../params.ts'
import { oneOf } from '../reasons.ts'
import { outcomeId } from './market.ts'

export const outcomeParam = (absent: string) =>
  textParam({
    maxLength: 200,
    description: `Id or name (any case) of an outcome; ${absent} when absent`,
  })
    .meta({ example: 'Yes' })
    .optional()

/** The outcome that the parameter names; null without a parameter. Throws 400 for an unknown outcome. */
export function outcomeOf(
  market: ServedMarket,
  text: string | undefined,
): ServedMarket['outcomes'][number] | null {
  if (text === undefined) return null
  const found = market.outcomes.find(
    ({ position, name }) =>
      outcomeId({ marketId: market.id, position }) === text || name.toLowerCase() === text.toLowerCase(),
  )
  if (!found)
    throw invalidParameter(
      'outcome',
      oneOf(
        market.outcomes.map(({ name }) => name),
        text,
      ),
    )
  return found
}
