import { formatDecimal, fromRaw } from './decimal.ts'

export const USDC_DECIMALS = 6

/** Converts base units to an amount in USDC. */
export const usdcOf = (units: bigint): string => formatDecimal(fromRaw(units, USDC_DECIMALS))
