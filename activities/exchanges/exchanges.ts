import { binance } from './sources/binance.ts'
import { bitfinex } from './sources/bitfinex.ts'
import { bitget } from './sources/bitget.ts'
import { bitstamp } from './sources/bitstamp.ts'
import { bitvavo } from './sources/bitvavo.ts'
import { bybit } from './sources/bybit.ts'
import { coinbase } from './sources/coinbase.ts'
import { coinex } from './sources/coinex.ts'
import { cryptocom } from './sources/cryptocom.ts'
import { gate } from './sources/gate.ts'
import { gemini } from './sources/gemini.ts'
import { hitbtc } from './sources/hitbtc.ts'
import { htx } from './sources/htx.ts'
import { kraken } from './sources/kraken.ts'
import { kucoin } from './sources/kucoin.ts'
import { mexc } from './sources/mexc.ts'
import { okx } from './sources/okx.ts'
import { poloniex } from './sources/poloniex.ts'
import { whitebit } from './sources/whitebit.ts'
import { xt } from './sources/xt.ts'
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
  mexc,
  htx,
  cryptocom,
  bitfinex,
  bitstamp,
  gemini,
  whitebit,
  bitvavo,
  coinex,
  xt,
  poloniex,
  hitbtc,
]

const byName = new Map(EXCHANGE_SPECS.map((spec) => [spec.source.name, spec]))

export function exchangeSpec(name: string): ExchangeSpec {
  const spec = byName.get(name)
  if (!spec) throw new Error(`unknown exchange ${name}`)
  return spec
}
