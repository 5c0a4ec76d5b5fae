import pg from 'pg'
import { openDb } from '../../db/connect.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'

// A process that syncs wallets, and ends itself as `kill -9` does at the statement that it is told: just before it is sent,
// or just after it was answered. Prints the number of statements when it gets to its end.

interface Plan {
  databaseUrl: string
  networkId: string
  rpcUrl: string
  addresses: string[]
  /** Which statement, from 1; 0: none. */
  dieAt: number
  moment: 'before' | 'after'
}

const { databaseUrl, networkId, rpcUrl, addresses, dieAt, moment } = JSON.parse(process.argv[2]!) as Plan
const die = () => process.kill(process.pid, 'SIGKILL')
let statements = 0

type Query = (...args: unknown[]) => unknown
const prototype = pg.Client.prototype as unknown as { query: Query }
const { query } = prototype
prototype.query = function (this: unknown, ...args: unknown[]): unknown {
  if (++statements !== dieAt) return query.apply(this, args)
  if (moment === 'before') return die()
  const callback = args.at(-1)
  if (typeof callback === 'function') return query.apply(this, [...args.slice(0, -1), die])
  const answer = query.apply(this, args)
  // What is written by COPY is a stream.
  if (answer instanceof Promise) return answer.then(die)
  setTimeout(die, 5)
  return answer
}

const { pool, close } = openDb({ url: databaseUrl, maxConnections: 4, applicationName: 'sync-process' })
const network = await testNetwork(pool, { networkId, url: rpcUrl })
for (const address of addresses) await syncDirectly({ pool, network, address })
await close()
console.log(statements)
