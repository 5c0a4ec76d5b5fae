import { absolute } from '../../db/values/decimal.ts'
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
  /** sum of the openings among them, and whether one is at the start */
  opened: bigint
  openedAtStart: boolean
}

export interface Opening {
  coin: CoinToVerify
  role: 'opening' | 'rebase'
  /** 0: no difference remains */
  raw: bigint
  /** replaces the coin's earlier openings */
  replaces: boolean
  /** true: before the coin's first movement; false: at the block of the balance */
  atStart: boolean
}

/**
 * Finds the amounts in balances that the movements do not explain. A surplus found by the first sync was
 * there from the start. One found later arrived since: a small one of a token by rebasing. If the difference
 * has the opposite sign of an earlier opening, late rows explain that opening, and it is replaced.
 */
export function findOpenings(coins: readonly CoinToVerify[], isFirstSync: boolean): Opening[] {
  return coins.flatMap((coin): Opening[] => {
    const difference = coin.balance - coin.moved
    const isRounding =
      coin.token !== null &&
      coin.movements > 0 &&
      absolute(difference) <= ROUNDING_UNITS * BigInt(coin.movements)
    if (difference === 0n || isRounding) return []
    const replaces = coin.opened !== 0n && difference > 0n !== coin.opened > 0n
    const raw = replaces ? difference + coin.opened : difference
    const { numerator, denominator } = LARGEST_REBASE
    const canRebase = !isFirstSync && !replaces && coin.token !== null
    const isRebase = canRebase && raw > 0n && raw * denominator <= coin.moved * numerator
    const atStart = raw > 0n && coin.movements > 0 && (replaces ? coin.openedAtStart : isFirstSync)
    return [{ coin, role: isRebase ? 'rebase' : 'opening', raw, replaces, atStart }]
  })
}
