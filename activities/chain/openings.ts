/** Share-based tokens round each transfer by up to two base units: a difference of that size is no movement. */
const ROUNDING_UNITS = 2n
/** A token that grew by less than this part since the last sync without a transfer has rebased: income, basis 0. */
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
  /** openings among them: their sum, and whether one stands at the start */
  opened: bigint
  openedAtStart: boolean
}

export interface Opening {
  coin: CoinToVerify
  role: 'opening' | 'rebase'
  /** 0: nothing is left to explain */
  raw: bigint
  /** takes the place of the coin's openings so far */
  replaces: boolean
  /** stands before the first movement of the coin, else at the block of the balance */
  atStart: boolean
}

/**
 * What balances have that the movements do not explain. Found by the first sync, a surplus was there from the start;
 * found later, it has come since: a small one of a token by rebasing. Where the difference goes against an earlier opening,
 * rows came late that explain it after all: the opening is taken back.
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

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}
