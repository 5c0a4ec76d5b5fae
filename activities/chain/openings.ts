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
}

export interface Opening {
  coin: CoinToVerify
  role: 'opening' | 'airdrop'
  raw: bigint
  /** stands before the first movement of the coin, else at the block of the balance */
  atStart: boolean
}

/**
 * What balances have that the movements do not explain. Found by the first sync, a surplus was there from the start;
 * found later, it has come since: a small one of a token by rebasing.
 */
export function findOpenings(coins: readonly CoinToVerify[], isFirstSync: boolean): Opening[] {
  return coins.flatMap((coin): Opening[] => {
    const raw = coin.balance - coin.moved
    const isRounding =
      coin.token !== null && coin.movements > 0 && absolute(raw) <= ROUNDING_UNITS * BigInt(coin.movements)
    if (raw === 0n || isRounding) return []
    const { numerator, denominator } = LARGEST_REBASE
    const isRebase =
      !isFirstSync && coin.token !== null && raw > 0n && raw * denominator <= coin.moved * numerator
    const atStart = isFirstSync && raw > 0n && coin.movements > 0
    return [{ coin, role: isRebase ? 'airdrop' : 'opening', raw, atStart }]
  })
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}
