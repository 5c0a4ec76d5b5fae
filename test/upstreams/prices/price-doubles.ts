import { createPricesActivities } from '../../../activities/prices/index.ts'
import type { TestDatabase } from '../../setup/database.ts'
import { query } from '../../setup/query.ts'
import { stopLater } from '../actors.ts'
import { createClock } from '../double.ts'
import type { FieldReads } from '../field-reads.ts'
import { liveWorker } from '../live-worker.ts'
import { startBinance, startCoinbase, startKraken } from './exchanges.ts'
import { DEMO_KEY, startCoinGecko } from './coingecko.ts'
import { startCoinPaprika } from './coinpaprika.ts'
import { startDefiLlama } from './defillama.ts'
import { createMarket } from './market.ts'

/** The doubles of all price sources, over one market and one clock. */
export async function startPriceDoubles(options: { coins: number; demoKey: boolean }) {
  const clock = createClock(Date.UTC(2026, 10, 2, 9))
  const coins = createMarket(options.coins)
  const world = { clock, coins }
  const coingecko = stopLater(await startCoinGecko({ ...world, plan: options.demoKey ? 'demo' : 'keyless' }))
  return {
    clock,
    coins,
    coingecko,
    coinpaprika: stopLater(await startCoinPaprika(world)),
    defillama: stopLater(await startDefiLlama(world)),
    binance: stopLater(await startBinance(world)),
    coinbase: stopLater(await startCoinbase(world)),
    kraken: stopLater(await startKraken(world)),
  }
}

export type PriceDoubles = Awaited<ReturnType<typeof startPriceDoubles>>

/** A worker that knows these doubles and no other source. */
export async function priceWorker(
  database: TestDatabase,
  doubles: PriceDoubles & { demoKey: boolean; wrap?: FieldReads['wrap'] },
) {
  await query(
    database.ownerUrl,
    'truncate coins, quarantine, price_days, price_hours, price_histories, market_totals, source_hours cascade',
  )
  const settings = {
    COINGECKO_URL: doubles.coingecko.apiUrl,
    COINPAPRIKA_URL: doubles.coinpaprika.apiUrl,
    DEFILLAMA_URL: doubles.defillama.url,
    BINANCE_KLINES_URL: doubles.binance.url,
    COINBASE_CANDLES_URL: doubles.coinbase.url,
    KRAKEN_OHLC_URL: doubles.kraken.url,
    ...(doubles.demoKey && { COINGECKO_API_KEY: DEMO_KEY }),
  }
  const deps = await liveWorker(database, {
    clock: doubles.clock,
    settings,
    ...(doubles.wrap && { wrap: doubles.wrap }),
  })
  return { deps, prices: createPricesActivities(deps) }
}
