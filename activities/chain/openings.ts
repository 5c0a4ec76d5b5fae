import { absoluteUnits } from '../../db/values/decimal.ts'
/** Share-based tokens round each transfer by up to two base units; such a difference is no opening. */
const ROUNDING_UNITS = 2n
/**
 * A token that grew by at most this fraction since the last sync without a transfer rebased: income, cost
 * basis 0.
 */
const LARGEST_REBASE = { numerator: 1n, denominator: 100n }

export interface CoinToVerify {
  coinId: string
  token: string | null
  decimals: number
  /** read on chain */
  balance: bigint
  /** sum of the stored movements */
  moved: bigint
  movements: number
  /** whether their sum was below zero since the last sync */
  isShort: boolean
  /** sum of the openings among them, and whether one is before other movements */
  opened: bigint
  openedBefore: boolean
}

/**
 * `start`: before the coin's first movement. `shortfall`: before the first one that takes the balance below zero.
 * `earlier`: where the replaced opening was. `head`: at the block of the balance.
 */
type OpeningPlace = 'start' | 'shortfall' | 'earlier' | 'head'

export interface Opening {
  coin: CoinToVerify
  role: 'opening' | 'rebase'
  /** 0: no difference remains */
  raw: bigint
  /** replaces the coin's earlier openings */
  replaces: boolean
  place: OpeningPlace
}

/**
 * Finds the amounts in balances that the movements do not explain. A surplus found by the first sync was
 * there from the start. One found later arrived since, at the latest before the movement that would take the
 * balance below zero; a small one of a token arrived by rebasing. If the difference has the opposite sign of an
 * earlier opening, late rows explain that opening, and it is replaced.
 */
export function findOpenings(coins: readonly CoinToVerify[], isFirstSync: boolean): Opening[] {
  return coins.flatMap((coin): Opening[] => {
    const difference = coin.balance - coin.moved
    const isRounding =
      coin.token !== null &&
      coin.movements > 0 &&
      absoluteUnits(difference) <= ROUNDING_UNITS * BigInt(coin.movements)
    if (difference === 0n || isRounding) return []
    const replaces = coin.opened !== 0n && difference > 0n !== coin.opened > 0n
    const raw = replaces ? difference + coin.opened : difference
    const { numerator, denominator } = LARGEST_REBASE
    const canRebase = !isFirstSync && !replaces && coin.token !== null && !coin.isShort
    const isRebase = canRebase && raw > 0n && raw * denominator <= coin.moved * numerator
    const place = raw > 0n && coin.movements > 0 ? placeOf(coin, { replaces, isFirstSync }) : 'head'
    return [{ coin, role: isRebase ? 'rebase' : 'opening', raw, replaces, place }]
  })
}

function placeOf(
  coin: CoinToVerify,
  { replaces, isFirstSync }: { replaces: boolean; isFirstSync: boolean },
): OpeningPlace {
  if (replaces) return coin.openedBefore ? 'earlier' : 'head'
  if (isFirstSync) return 'start'
  return coin.isShort ? 'shortfall' : 'head'
}
