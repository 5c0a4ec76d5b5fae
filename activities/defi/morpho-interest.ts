// The integer arithmetic of Morpho (MathLib, SharesMathLib), so that amounts equal what it pays and takes.

const WAD = 10n ** 18n
const VIRTUAL_SHARES = 1_000_000n
const VIRTUAL_ASSETS = 1n

export interface MarketTotals {
  totalSupplyAssets: bigint
  totalSupplyShares: bigint
  totalBorrowAssets: bigint
  totalBorrowShares: bigint
  /** of the interest, 18 decimals */
  fee: bigint
}

/** Totals after the interest of `elapsed` seconds at `rate`, of a second with 18 decimals. */
export function grown(
  totals: MarketTotals,
  { rate, elapsed }: { rate: bigint; elapsed: bigint },
): MarketTotals {
  const first = rate * elapsed
  const second = (first * first) / (2n * WAD)
  const third = (second * first) / (3n * WAD)
  const interest = (totals.totalBorrowAssets * (first + second + third)) / WAD
  const feeAssets = (interest * totals.fee) / WAD
  const supply = totals.totalSupplyAssets + interest
  const feeShares =
    (feeAssets * (totals.totalSupplyShares + VIRTUAL_SHARES)) / (supply - feeAssets + VIRTUAL_ASSETS)
  return {
    ...totals,
    totalSupplyAssets: supply,
    totalSupplyShares: totals.totalSupplyShares + feeShares,
    totalBorrowAssets: totals.totalBorrowAssets + interest,
  }
}

/** What shares are worth to the one who withdraws. */
export const assetsDown = (shares: bigint, totalAssets: bigint, totalShares: bigint): bigint =>
  (shares * (totalAssets + VIRTUAL_ASSETS)) / (totalShares + VIRTUAL_SHARES)

/** What repaying shares costs. */
export function assetsUp(shares: bigint, totalAssets: bigint, totalShares: bigint): bigint {
  const whole = totalShares + VIRTUAL_SHARES
  return (shares * (totalAssets + VIRTUAL_ASSETS) + whole - 1n) / whole
}
