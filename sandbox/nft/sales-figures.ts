import type { SandboxCollection } from './catalogue.ts'
import type { NftWorld } from './nft-world.ts'

const day = 86_400

/** Number of sales and volume in ETH for the periods that marketplaces show. */
export async function salesFigures(world: NftWorld, one: SandboxCollection, now: number) {
  const all = await world.sales(one, 0, now)
  const span = (from: number, to: number) => {
    const some = all.filter(({ at }) => at > from && at <= to)
    return {
      sales: some.length,
      volume: some.reduce((sum, { priceEth, quantity }) => sum + priceEth * quantity, 0),
    }
  }
  const days = (count: number) => {
    const [current, before] = [span(now - count * day, now), span(now - 2 * count * day, now - count * day)]
    return {
      ...current,
      diff: current.sales - before.sales,
      change: before.volume > 0 ? current.volume / before.volume - 1 : 0,
    }
  }
  return { total: span(0, now), day: days(1), week: days(7), month: days(30) }
}
