import { HOUR_MS } from '../../db/values/periods.ts'
import type { AskDeps, Questions } from '../source-questions.ts'
import { createTickerSources } from './ticker-sources.ts'

export function tickerQuestions(deps: AskDeps): Questions {
  const nowMs = deps.now().getTime()
  const lastHours = { base: 'BTC', target: 'USDT', fromMs: nowMs - 2 * HOUR_MS, toMs: nowMs }
  return { 'binance-klines': () => createTickerSources(deps).binanceKlines?.hours(lastHours) }
}
