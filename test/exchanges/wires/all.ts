import { binance } from './binance.ts'
import { bitfinex } from './bitfinex.ts'
import { bitget } from './bitget.ts'
import { bitstamp } from './bitstamp.ts'
import { bitvavo } from './bitvavo.ts'
import { bybit } from './bybit.ts'
import { coinbase } from './coinbase.ts'
import { coinex } from './coinex.ts'
import { cryptocom } from './cryptocom.ts'
import { gate } from './gate.ts'
import { gemini } from './gemini.ts'
import { hitbtc } from './hitbtc.ts'
import { htx } from './htx.ts'
import { kraken } from './kraken.ts'
import { kucoin } from './kucoin.ts'
import { mexc } from './mexc.ts'
import { okx } from './okx.ts'
import { poloniex } from './poloniex.ts'
import { whitebit } from './whitebit.ts'
import { xt } from './xt.ts'
import type { Wire } from './wire.ts'

/** Doubles of all exchanges, as their documentation describes them. */
export const WIRES: Record<string, Wire> = {
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
}
