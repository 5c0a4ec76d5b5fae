import { setTimeout as sleep } from 'node:timers/promises'
import { openDb } from '../../db/connect.ts'
import type { NetworkId } from '../../sandbox/chain/tokens.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { query } from '../setup/query.ts'
import type { Topology } from './topology.ts'
import { WALLET_TABLES } from './wallet-tables.ts'

/**
 * Runs the same syncs one after the other in its own database, with the same coins and chains. Returns the
 * database URL. API and workers must be stopped.
 */
export async function undisturbedRun(
  topology: Pick<Topology, 'databaseUrl' | 'rpcs'>,
  { addresses, networks }: { addresses: readonly string[]; networks: readonly NetworkId[] },
): Promise<string> {
  const admin = topology.databaseUrl('postgres')
  await query(admin, `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'sluice'`)
  await sleep(500)
  await query(admin, 'create database oracle template sluice')
  const url = topology.databaseUrl('oracle')
  await query(url, `truncate ${WALLET_TABLES.join(', ')} cascade`)
  const { pool, close } = openDb({ url, maxConnections: 4, applicationName: 'crash-test' })
  for (const networkId of networks) {
    const network = await testNetwork(pool, { networkId, url: topology.rpcs[networkId].url })
    for (const address of addresses) await syncDirectly({ pool, network, address })
  }
  await close()
  return url
}
