import { binance } from './sources/binance.ts'
import { bitget } from './sources/bitget.ts'
import { bybit } from './sources/bybit.ts'
import { coinbase } from './sources/coinbase.ts'
import { gate } from './sources/gate.ts'
import { kraken } from './sources/kraken.ts'
import { kucoin } from './sources/kucoin.ts'
import { okx } from './sources/okx.ts'
import type { ExchangeSpec } from './exchange.ts'

/** All exchanges with an adapter. The API accepts those in db/values/exchanges.ts. */
export const EXCHANGE_SPECS: readonly ExchangeSpec[] = [
  binance,
  coinbase,
  kraken,
  okx,
  bybit,
  bitget,
  kucoin,
  gate,
]

const byName = new Map(EXCHANGE_SPECS.map((spec) => [spec.source.name, spec]))

export function exchangeSpec(name: string): ExchangeSpec {
  const spec = byName.get(name)
  if (!spec) throw new Error(`unknown exchange ${name}`)
  return spec
}
