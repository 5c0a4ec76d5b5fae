import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ROOT } from '../../../cli/folders.ts'
import { type BenchServer, startServer } from '../read/servers.ts'
import type { BenchPostgres } from '../shared/bench-postgres.ts'
import type { Cleanup } from '../shared/cleanup.ts'
import { npmPeer } from '../shared/npm-peer.ts'
import type { BenchFacilitator } from './facilitator.ts'

const PAY_TO = '0x9a7d000000000000000000000000000000000403'

interface ServerOptions {
  postgres: BenchPostgres
  facilitator: Pick<BenchFacilitator, 'url' | 'rpcUrl'>
  cleanup: Cleanup
}

/** The gateway with every check, and with limits too high to matter. */
export const startGateway = ({ postgres, facilitator, cleanup }: ServerOptions): Promise<BenchServer> =>
  startServer({
    name: 'gateway',
    args: () => [join(ROOT, 'gateway', 'main.ts')],
    cleanup,
    env: (port) => ({
      GATEWAY_PORT: String(port),
      SOURCES: 'live',
      LOG_LEVEL: 'error',
      API_DATABASE_URL: postgres.roleUrl('api'),
      GATEWAY_DATABASE_URL: postgres.roleUrl('gateway'),
      X402_PUBLIC_URL: `http://127.0.0.1:${port}`,
      X402_PAY_TO: PAY_TO,
      X402_FACILITATOR_URL: facilitator.url,
      X402_RPC_URL: facilitator.rpcUrl,
      X402_COOKIE_SECRETS: `bench:${randomBytes(32).toString('hex')}`,
      X402_COOKIE_RPS: '100000',
    }),
  })

/** A server that accepts payments without checking or storing anything. */
export const startBareServer = ({ facilitator, cleanup }: Omit<ServerOptions, 'postgres'>) =>
  startBare([], { facilitator, cleanup })

/** The same, but it stores the minimum and asks the chain. It still checks nothing. */
export const startBareLedger = ({ postgres, facilitator, cleanup }: ServerOptions) =>
  startBare([postgres.ownerUrl, facilitator.rpcUrl], { facilitator, cleanup })

const startBare = (books: string[], { facilitator, cleanup }: Omit<ServerOptions, 'postgres'>) =>
  startServer({
    name: 'bare server',
    cleanup,
    args: (port) => [
      join(import.meta.dirname, 'bare-server.ts'),
      facilitator.url,
      PAY_TO,
      String(port),
      ...books,
    ],
  })

/** The stock @x402/hono server with the same data, installed on first use. Throws if it is unavailable. */
export async function startPeer({ postgres, facilitator, cleanup }: ServerOptions): Promise<BenchServer> {
  const folder = await npmPeer('x402', '@x402/hono')
  const databaseUrl = postgres.roleUrl('api')
  return startServer({
    name: '@x402/hono',
    cleanup,
    args: (port) => [join(folder, 'server.mjs'), facilitator.url, PAY_TO, String(port), databaseUrl],
  })
}
