import { bestCoins } from '../../../db/prices/read-named-coins.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { isFiatCoin } from '../../../db/values/coins.ts'
import { html, type Html } from '../../parts/html.ts'

/**
 * The id of the coin that an owner means: its id, or the symbol of the best ranked coin. An id of a currency, such as
 * `FiatCoinEUR`, is returned as it is. undefined: there is none.
 */
export async function coinNamed(db: ReadonlyDb, name: string): Promise<string | undefined> {
  if (isFiatCoin(name)) return name
  const { byId, bySymbol } = await bestCoins(db, [name])
  return (byId.get(name) ?? bySymbol.get(name.toUpperCase()))?.id
}

/** Suggestions for a field of coins. */
export const coinList = (id: string, coins: readonly { id: string; name: string; symbol: string }[]): Html =>
  html`<datalist id="${id}">
    ${coins.map(({ id: coin, name, symbol }) => html`<option value="${coin}">${name} (${symbol.toUpperCase()})</option>`)}
  </datalist>`
