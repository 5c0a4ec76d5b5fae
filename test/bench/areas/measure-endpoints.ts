import { sql } from 'kysely'
import { routes } from '../../../api/routes.ts'
import { openDb } from '../../../db/connect.ts'
import { CONNECTIONS, load } from '../read/load.ts'
import { FIRST_WALLET, seedRead } from '../read/seed.ts'
import { startApi, startPostGraphile } from '../read/servers.ts'
import { startBenchPostgres } from '../shared/bench-postgres.ts'
import type { Cleanup } from '../shared/cleanup.ts'
import { debianTool } from '../shared/debian-tool.ts'
import { loadPaths, loadQuery, WRK } from '../shared/load-paths.ts'
import { peakRssMb } from '../shared/machine.ts'
import { measurePairs, median } from '../shared/pairs.ts'
import { reasonOf } from '../shared/report.ts'
import { ENDPOINTS } from './endpoints.ts'
import { checkPeer, createGraphqlSchema, EQUAL_QUESTIONS } from './graphql-peer.ts'
import { seedCoins } from './seed-coins.ts'
import { seedNews } from './seed-news.ts'
import { seedPortfolios } from './seed-portfolios.ts'
import { seedPrediction } from './seed-prediction.ts'

const WALLET_ROWS = 300_000
/** Changes of the data before which an answer must be made anew. */
const CHANGES = 100

export interface EndpointFigures {
  name: string
  /** At 64 connections, charged. */
  perSecond: number
  p99Ms: number
  /** Its rate as a part of that of wallet pages (G1), median of interleaved pairs. */
  ratio: number
  /** The first answer after a change of its tables, one client. */
  firstP50Ms: number
  firstP99Ms: number
}

export interface Measured {
  endpoints: EndpointFigures[]
  /** Charged rate / that of PostGraphile for the same rows and fields, uncharged; by endpoint. */
  peer: { ratios: Record<string, number> } | { missing: string }
  /** Of the API, in MB. */
  peakRssMb: number
}

/** Measures each endpoint on large tables, with its answers kept and after changes. */
export async function measureEndpoints(options: {
  sizes: { coins: number; news: number; markets: number; trades: number; transactions: number }
  pairs: number
  seconds: number
  cleanup: Cleanup
  log: (line: string) => void
}): Promise<Measured> {
  const { sizes, pairs, seconds, cleanup, log } = options
  const postgres = await startBenchPostgres(cleanup)
  const owner = openDb({ url: postgres.ownerUrl, maxConnections: 2, applicationName: 'bench' })
  cleanup.add(owner.close)
  log(`storing ${WALLET_ROWS.toLocaleString('en')} transactions of wallets`)
  const { key, wallets, accountId } = await seedRead(owner.db, WALLET_ROWS)
  await sql`truncate coins cascade`.execute(owner.db)
  log(`storing ${sizes.coins.toLocaleString('en')} coins with two years of days`)
  await seedCoins(owner.db, sizes.coins)
  log(`storing ${sizes.news.toLocaleString('en')} articles`)
  await seedNews(owner, sizes.news)
  log(
    `storing ${sizes.markets.toLocaleString('en')} markets with ${sizes.trades.toLocaleString('en')} trades`,
  )
  await seedPrediction(owner, sizes)
  log(`computing ten portfolios of ${sizes.transactions.toLocaleString('en')} transactions each`)
  await seedPortfolios(owner, { accountId, transactions: sizes.transactions })
  await owner.pool.query('vacuum analyze')
  await owner.pool.query('checkpoint')
  const api = await startApi(postgres, cleanup)
  const wrk = await debianTool(WRK)

  const at = (paths: readonly string[], connections: number, lasting = seconds) =>
    loadPaths(wrk, { url: api.url, key, paths, connections, seconds: lasting })
  const pages = async () => {
    const options = { mode: 'rest', key, first: FIRST_WALLET, count: wallets, page: 1, seconds } as const
    return (await load(wrk, api, options)).perSecond
  }
  await pages()
  const results: EndpointFigures[] = []
  for (const [name, paths] of Object.entries(ENDPOINTS)) {
    await at(paths, 4, 1)
    const p99s: number[] = []
    const measured = await measurePairs({
      pairs,
      ours: async () => {
        const { perSecond, p99Ms } = await at(paths, CONNECTIONS)
        p99s.push(p99Ms)
        return perSecond
      },
      peer: pages,
    })
    const figures = {
      name,
      perSecond: median(measured.map(({ ours }) => ours)),
      p99Ms: median(p99s),
      ratio: median(measured.map(({ ours, peer }) => ours / peer)),
      ...(await firstAnswers(paths)),
    }
    log(
      `${name}: ${figures.ratio.toFixed(2)} of wallet pages, first answer ${figures.firstP99Ms.toFixed(1)} ms`,
    )
    results.push(figures)
  }
  const rssMb = await peakRssMb(api.pid)
  return { endpoints: results, peer: await againstPostGraphile(), peakRssMb: rssMb }

  async function againstPostGraphile(): Promise<Measured['peer']> {
    try {
      await createGraphqlSchema(owner.pool)
      const peer = await startPostGraphile(postgres, cleanup)
      await checkPeer(peer.url)
      const ratios: Record<string, number> = {}
      for (const [name, { path, query }] of Object.entries(EQUAL_QUESTIONS)) {
        const ours = async () => (await at([path], CONNECTIONS)).perSecond
        const theirs = async () =>
          (await loadQuery(wrk, { url: peer.url, query, connections: CONNECTIONS, seconds })).perSecond
        await ours()
        await theirs()
        const measured = await measurePairs({ pairs, ours, peer: theirs })
        ratios[name] = median(measured.map((pair) => pair.ours / pair.peer))
        log(`${name}: ${ratios[name].toFixed(2)} of PostGraphile`)
      }
      return { ratios }
    } catch (error) {
      log(`no ratio to PostGraphile: ${reasonOf(error)}`)
      return { missing: reasonOf(error) }
    }
  }

  /** Times of answers that follow a change, in milliseconds. */
  async function firstAnswers(
    paths: readonly string[],
  ): Promise<Pick<EndpointFigures, 'firstP50Ms' | 'firstP99Ms'>> {
    const times: number[] = []
    for (let i = 0; i < CHANGES; i++) {
      const path = paths[i % paths.length]!
      for (const table of tablesOf(path))
        await sql`delete from ${sql.table(table)} where false`.execute(owner.db)
      const startMs = performance.now()
      const response = await fetch(`${api.url}/v1${path}`, { headers: { 'x-api-key': key } })
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${response.status} for ${path}`)
      times.push(performance.now() - startMs)
    }
    const sorted = times.toSorted((a, b) => a - b)
    return { firstP50Ms: median(times), firstP99Ms: sorted[Math.ceil(CHANGES * 0.99) - 1]! }
  }
}

/** The tables of all callers on which the answer to a path depends. */
function tablesOf(path: string): readonly string[] {
  const [bare] = path.split('?')
  const found =
    routes.find((route) => route.path === bare) ??
    routes.find((route) => new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare!))
  return found?.shared?.reads ?? found?.figures?.reads ?? []
}
