import pg from 'pg'
import { openDb } from '../../db/connect.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'

// Syncs wallets and kills itself with SIGKILL at a given statement: just before sending it, or just after its
// answer. Prints the number of statements if it reaches the end.

interface Plan {
  databaseUrl: string
  networkId: string
  rpcUrl: string
  addresses: string[]
  /** Number of the statement, from 1. 0: never */
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
  // COPY returns a stream.
  if (answer instanceof Promise) return answer.then(die)
  setTimeout(die, 5)
  return answer
}

const { pool, close } = openDb({ url: databaseUrl, maxConnections: 4, applicationName: 'sync-process' })
const network = await testNetwork(pool, { networkId, url: rpcUrl })
for (const address of addresses) await syncDirectly({ pool, network, address })
await close()
console.log(statements)
