import { invalidParameter } from '../../../api/errors.ts'
import { bestCoins } from '../../../db/prices/read-named-coins.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { html, type Html } from '../../parts/html.ts'

/** The id of the coin that an owner means: its id, or the symbol of the best ranked coin. Throws 400. */
export async function coinNamed(db: ReadonlyDb, name: string): Promise<string> {
  const { byId, bySymbol } = await bestCoins(db, [name])
  const coin = byId.get(name) ?? bySymbol.get(name.toUpperCase())
  if (!coin) throw invalidParameter('coin', `No coin has the id or symbol '${name}'`)
  return coin.id
}

/** Suggestions for a field of coins. */
export const coinList = (id: string, coins: readonly { id: string; name: string; symbol: string }[]): Html =>
  html`<datalist id="${id}">
    ${coins.map(({ id: coin, name, symbol }) => html`<option value="${coin}">${name} (${symbol.toUpperCase()})</option>`)}
  </datalist>`
