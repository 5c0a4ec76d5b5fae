import { join } from 'node:path'
import { ROOT } from '../../../cli/folders.ts'
import { API_FLAGS } from '../../../cli/supervisor/services.ts'
import { freePort } from '../../../cli/supervisor/free-port.ts'
import { BARE_ENVIRONMENT } from '../../setup/bare-environment.ts'
import type { BenchPostgres } from '../shared/bench-postgres.ts'
import type { Cleanup } from '../shared/cleanup.ts'
import { npmPeer } from '../shared/npm-peer.ts'
import { startPart } from '../shared/start-part.ts'

export interface BenchServer {
  url: string
  pid: number
}

interface StartOptions {
  name: string
  args: (port: number) => string[]
  env?: (port: number) => Record<string, string>
  cleanup: Cleanup
}

/** Starts a server as a process. It is up once its port answers HTTP. */
export async function startServer({ name, args, env, cleanup }: StartOptions): Promise<BenchServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  const { pid } = await startPart(
    {
      name,
      command: process.execPath,
      args: args(port),
      health: { probe: answers },
      env: { ...BARE_ENVIRONMENT, NODE_ENV: 'production', ...env?.(port) },
      startDeadlineMs: 60_000,
      stopSignal: 'SIGTERM',
      stopDeadlineMs: 3_000,
    },
    cleanup,
  )
  return { url, pid }
}

const apiEnv = (postgres: BenchPostgres) => (port: number) => ({
  API_PORT: String(port),
  SOURCES: 'live',
  LOG_LEVEL: 'error',
  API_DATABASE_URL: postgres.roleUrl('api'),
  METER_DATABASE_URL: postgres.roleUrl('meter'),
})

/** The unchanged API. */
export const startApi = (postgres: BenchPostgres, cleanup: Cleanup) =>
  startServer({
    name: 'api',
    args: () => [...API_FLAGS, join(ROOT, 'api', 'main.ts')],
    env: apiEnv(postgres),
    cleanup,
  })

/** The same API with a meter that charges nothing. */
export const startFreeApi = (postgres: BenchPostgres, cleanup: Cleanup) =>
  startServer({
    name: 'free api',
    args: () => [...API_FLAGS, join(import.meta.dirname, 'free-server.ts')],
    env: apiEnv(postgres),
    cleanup,
  })

/** A simple first version: the query builder, and one UPDATE for the charge. */
export const startPlainServer = (postgres: BenchPostgres, accountId: string, cleanup: Cleanup) =>
  startServer({
    name: 'plain server',
    args: (port) => [
      join(import.meta.dirname, 'plain-server.ts'),
      postgres.ownerUrl,
      accountId,
      String(port),
    ],
    cleanup,
  })

/** PostGraphile, installed on first use. Throws if it is unavailable. */
export async function startPostGraphile(postgres: BenchPostgres, cleanup: Cleanup): Promise<BenchServer> {
  const folder = await npmPeer('postgraphile')
  return startServer({
    name: 'postgraphile',
    args: (port) => [join(folder, 'server.mjs'), postgres.ownerUrl, 'peer_graphql', String(port), '8'],
    cleanup,
  })
}

/**
 * The fields of an answer as columns, as is usual for PostGraphile, with the same rows, order and index as
 * ours.
 */
export const GRAPHQL_SCHEMA = `
  create schema peer_graphql;
  create table peer_graphql.transaction as
    select wallet_id, network_id, at, tx_index, hash, block_number, parsed.fragment ->> 'type' as type,
      parsed.fragment #>> '{hash,explorerUrl}' as explorer_url, parsed.fragment #>> '{transactions,0,action}' as action,
      item ->> 'id' as item_id, (item ->> 'count')::numeric as count, (item ->> 'totalWorth')::numeric as total_worth,
      item ->> 'fromAddress' as from_address, item #>> '{coin,id}' as coin_id, item #>> '{coin,name}' as coin_name,
      item #>> '{coin,symbol}' as coin_symbol, item #>> '{coin,icon}' as coin_icon
    from wallet_transactions, lateral (select fragment::jsonb as fragment) as parsed,
      lateral (select parsed.fragment #> '{transactions,0,items,0}' as item) as first_item;
  create unique index on peer_graphql.transaction (wallet_id, network_id, at desc, tx_index desc, hash desc);
  create function peer_graphql.transactions(of_address text, of_network text) returns setof peer_graphql.transaction
  language sql stable as $$
    select * from peer_graphql.transaction
    where wallet_id = (select id from wallets where address = of_address) and network_id = of_network
    order by at desc, tx_index desc, hash desc
  $$;
  analyze peer_graphql.transaction`
