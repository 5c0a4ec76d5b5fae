import { pino } from 'pino'
import { afterAll, onTestFinished } from 'vitest'
import type { ActivityDeps } from '../../activities/deps.ts'
import { createHttpClient } from '../../activities/http.ts'
import { openDb } from '../../db/connect.ts'
import { predictionOf } from '../prediction/prediction-world.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { stopLater } from './actors.ts'
import { createClock } from './double.ts'
import type { FakeClock } from './double.ts'
import type { FieldReads } from './field-reads.ts'
import { startKalshi } from './kalshi.ts'
import type { KalshiMarket } from './kalshi-market.ts'
import { APART_MS, type LimitlessMarket, startLimitless } from './limitless.ts'
import { type ManifoldMarket, startManifold } from './manifold.ts'
import { startPolymarketClob } from './polymarket-clob.ts'
import { startPolymarketData } from './polymarket-data.ts'
import { startPolymarketGamma } from './polymarket-gamma.ts'
import type { PolymarketMarket } from './polymarket-market.ts'
import { type PredictItMarket, startPredictIt } from './predictit.ts'

/** A database of the calling file, on which the prediction area runs against strict doubles. */
export async function predictionDatabase({ wrap = (http) => http }: { wrap?: FieldReads['wrap'] } = {}) {
  const database = await testDatabase()
  const connection = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
  afterAll(connection.close)
  const select = <T extends object>(text: string) => query<T>(database.ownerUrl, text)

  async function empty(): Promise<void> {
    const tables = await select<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
         and (relname like 'prediction\\_%' or relname = 'quarantine')`,
    )
    await select(`truncate ${tables.map(({ name }) => name).join(', ')} cascade`)
  }

  function worldOf(sources: Record<string, { url: string }>, clock: FakeClock, apartMs = 210) {
    // Slow enough for every rate: what is tested here is what else they refuse.
    const gate = {
      admit: async () => clock.advance(apartMs),
      succeeded: async () => {},
      failed: async () => {},
    }
    const http = createHttpClient({ gate, sources, random: () => 0 })
    onTestFinished(() => http.close())
    const deps = {
      ...connection,
      http: wrap(http),
      config: { sources },
      now: () => new Date(clock.now()),
      log: pino({ level: 'silent' }),
      heartbeat: () => {},
    } as unknown as ActivityDeps
    const times = {
      get nowMs() {
        return clock.now()
      },
    }
    return { ...predictionOf(deps, times), clock }
  }

  /** Each call begins with an empty area. */
  async function polymarket(markets: readonly PolymarketMarket[]) {
    await empty()
    const clock = createClock()
    const [data, gamma, clob] = await Promise.all([
      startPolymarketData({ clock, markets }),
      startPolymarketGamma({ clock, markets }),
      startPolymarketClob({ clock, markets }),
    ])
    for (const double of [data, gamma, clob]) stopLater(double)
    const sources = {
      'polymarket-data': { url: data.url },
      'polymarket-gamma': { url: gamma.url },
      'polymarket-clob': { url: clob.url },
    }
    return { ...worldOf(sources, clock), data, gamma, clob }
  }

  /** Each call begins with an empty area. */
  async function kalshi(markets: readonly KalshiMarket[]) {
    await empty()
    const clock = createClock()
    const double = stopLater(await startKalshi({ clock, markets }))
    return { ...worldOf({ kalshi: { url: double.apiUrl } }, clock), double }
  }

  /** Each call begins with an empty area. */
  async function limitless(markets: LimitlessMarket[]) {
    await empty()
    const clock = createClock()
    const double = stopLater(await startLimitless({ clock, markets }))
    // Polymarket is on as well: what is asked there about a market of Limitless, the double refuses.
    const sources = { limitless: { url: double.url }, 'polymarket-data': { url: double.url } }
    return { ...worldOf(sources, clock, APART_MS), double }
  }

  /** Each call begins with an empty area. */
  async function predictit(markets: PredictItMarket[]) {
    await empty()
    const clock = createClock()
    const double = stopLater(await startPredictIt({ clock, markets }))
    return { ...worldOf({ predictit: { url: double.apiUrl } }, clock), double }
  }

  /** Each call begins with an empty area. */
  async function manifold(markets: ManifoldMarket[]) {
    await empty()
    const clock = createClock()
    const double = stopLater(await startManifold({ clock, markets }))
    return { ...worldOf({ manifold: { url: double.url } }, clock), double }
  }

  return { db: connection.db, select, polymarket, kalshi, limitless, predictit, manifold }
}
