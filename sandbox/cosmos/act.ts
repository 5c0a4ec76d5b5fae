import type { CosmosDenom } from './actors.ts'
import type { Scene } from './scene.ts'

/** Does something with the wallet of the scene. false: it cannot, and nothing happened. */
export type Act = (scene: Scene) => boolean

export const nativeOf = (scene: Scene, usd: number): bigint => scene.unitsOf(scene.net.coinId, usd)
export const spendable = ({ heldBy, wallet, net }: Scene): bigint =>
  (heldBy(wallet).bank[net.denom] ?? 0n) - 100_000n
export const listed = ({ net }: Scene): CosmosDenom[] => net.denoms.filter(({ coinId }) => coinId !== null)
export const ofBank = (name: string, facts: object) => ({ '@type': `/cosmos.bank.v1beta1.${name}`, ...facts })
export const amountOf = (denom: string, raw: bigint) => ({ denom, amount: String(raw) })
export const sendMessage = (from: string, to: string, denom: string, raw: bigint) =>
  ofBank('MsgSend', { from_address: from, to_address: to, amount: [amountOf(denom, raw)] })
