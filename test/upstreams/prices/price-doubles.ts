import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { readIngestConfig } from '../../../activities/config.ts'
import type { ActivityDeps } from '../../../activities/deps.ts'
import { createHttpClient } from '../../../activities/http.ts'
import { createPricesActivities } from '../../../activities/prices/index.ts'
import { openDb } from '../../../db/connect.ts'
import type { TestDatabase } from '../../setup/database.ts'
import { query } from '../../setup/query.ts'
import { stopLater } from '../actors.ts'
import { createClock } from '../double.ts'
import { simulatedGate } from '../simulated-gate.ts'
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

/** A worker in live mode that knows the doubles and no other source, at the rates of their plans. */
export async function priceWorker(database: TestDatabase, doubles: PriceDoubles & { demoKey: boolean }) {
  const { clock } = doubles
  await query(
    database.ownerUrl,
    'truncate coins, quarantine, price_days, price_hours, price_histories, market_totals, source_hours cascade',
  )
  const urls: Record<string, string> = {
    COINGECKO_URL: doubles.coingecko.apiUrl,
    COINPAPRIKA_URL: doubles.coinpaprika.apiUrl,
    DEFILLAMA_URL: doubles.defillama.url,
    BINANCE_KLINES_URL: doubles.binance.url,
    COINBASE_CANDLES_URL: doubles.coinbase.url,
    KRAKEN_OHLC_URL: doubles.kraken.url,
  }
  const key = doubles.demoKey ? { COINGECKO_API_KEY: DEMO_KEY } : {}
  const read = readIngestConfig({ SOURCES: 'live', ...urls, ...key })
  const isDouble = ({ url }: { url: string }) => new URL(url).hostname === '127.0.0.1'
  const sources = Object.fromEntries(Object.entries(read.sources).filter(([, source]) => isDouble(source)))
  const config = { ...read, sources }
  const connection = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
  const gate = await simulatedGate({ database, clock, limits: sources })
  const http = createHttpClient({ gate, sources, random: () => 0 })
  onTestFinished(async () => {
    await http.close()
    await gate.close()
    await connection.close()
  })
  const deps: ActivityDeps = {
    ...connection,
    http,
    config,
    now: () => new Date(clock.now()),
    log: pino({ level: 'silent' }),
    heartbeat: () => {},
  }
  return { deps, prices: createPricesActivities(deps) }
}
