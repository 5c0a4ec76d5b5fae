/** How long undelegated coins are on their way back. */
export const UNBONDING_S = 21 * 86_400

export type Coins = Record<string, bigint>
/** What an account has: in the bank, staked by validator with the time of the last reward, and on its way back. */
export type Held = {
  bank: Coins
  staked: Map<string, { raw: bigint; since: number }>
  unbonding: { validator: string; raw: bigint; height: number; until: number }[]
}
