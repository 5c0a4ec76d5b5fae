import type { z } from 'zod'
import type { DefiAssetRow } from '../../db/defi/read-positions.ts'
import { type InUnits, inUnits } from '../../db/pnl/lots/fold-rows.ts'
import { percentOf } from '../../db/pnl/lots/coin-item.ts'
import { readTokenCosts } from '../../db/pnl/lots/token-costs.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { type Decimal, divide, isZero, subtract, ZERO } from '../../db/values/decimal.ts'
import { tripleOf, tripleSchema } from '../shapes.ts'

export const costShape = {
  totalCost: tripleSchema
    .optional()
    .describe(
      'What the wallet paid for the token that stands for the position, at average cost. Absent when there is no such token, when a part of it has no known cost, and until profit and loss has the latest transaction',
    ),
  profit: tripleSchema.optional().describe('`value` less `totalCost`; absent with it'),
  profitPercent: tripleSchema.optional().describe('Of `totalCost`; 0 when that is 0'),
}

/** The roles of what a token can stand for. */
const IN_TOKEN = new Set(['supplied', 'staked', 'locked'])
/** Rewards have no cost: all of their value is profit. */
const REWARD = 'unclaimed'

/** The assets of one position. */
export type Position = readonly DefiAssetRow[]

/** Costs of the positions whose id is a token of the wallet, in USD, BTC and ETH. */
export async function positionCosts(
  db: ReadonlyDb,
  positions: readonly Position[],
): Promise<Map<Position, InUnits<Decimal>>> {
  const inTokens = positions.filter(isInToken)
  const tokens = inTokens.map(([row]) => ({
    walletId: row!.walletId,
    networkId: row!.networkId,
    address: row!.positionId,
  }))
  const costs = await readTokenCosts(db, tokens)
  return new Map(inTokens.flatMap((position, i) => (costs[i] ? [[position, costs[i]]] : [])))
}

/** Of assets in several roles some are not in the token: other shares are staked elsewhere, or something is owed. */
function isInToken(position: Position): boolean {
  const roles = new Set(position.map(({ role }) => role).filter((role) => role !== REWARD))
  return roles.size === 1 && [...roles].every((role) => IN_TOKEN.has(role))
}

/** `coinsUsd`: prices of the units; 0: unknown. */
export function costFields(given: {
  valueUsd: Decimal
  cost: InUnits<Decimal>
  coinsUsd: InUnits<Decimal>
}): z.infer<z.ZodObject<typeof costShape>> {
  const { valueUsd, cost, coinsUsd } = given
  const profit = inUnits((unit) => {
    if (isZero(coinsUsd[unit])) return ZERO
    return subtract(divide(valueUsd, coinsUsd[unit]), cost[unit])
  })
  return {
    totalCost: tripleOf(cost),
    profit: tripleOf(profit),
    profitPercent: tripleOf(inUnits((unit) => percentOf(profit[unit], cost[unit]))),
  }
}
