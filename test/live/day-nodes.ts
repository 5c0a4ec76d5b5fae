import type { DoubleServer, FakeClock } from '../upstreams/double.ts'
import { alchemy } from '../upstreams/nodes/alchemy.ts'
import { base } from '../upstreams/nodes/base.ts'
import { createBooks } from '../upstreams/nodes/books.ts'
import type { Books } from '../upstreams/nodes/books.ts'
import { bsc } from '../upstreams/nodes/bsc.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'
import { drpc } from '../upstreams/nodes/drpc.ts'
import { startNode } from '../upstreams/nodes/node-double.ts'
import type { NodeDouble } from '../upstreams/nodes/node-double.ts'
import { publicnode } from '../upstreams/nodes/publicnode.ts'
import type { Vendor } from '../upstreams/nodes/vendor.ts'
import { nameVendorHosts } from './vendor-hosts.ts'

/** Vendors that share an allowance between networks: the key of an account, or the address of the client. */
export const ACCOUNTS: Record<string, Vendor> = {
  'alchemy.com': alchemy,
  'drpc.org': drpc(),
  'base.org': base(),
  'bnbchain.org': bsc,
  'publicnode.com': publicnode,
}

const DAY_MS = 86_400_000

/** Units of an account's allowance for one day; of a month's it is a 31st. Infinity: the vendor counts none. */
export function dayAllowance(account: string): number {
  const limits = ACCOUNTS[account]!.quotas.filter((quota) => quota.of === 'units').map(({ limit }) => limit)
  return Math.min(
    Infinity,
    ...limits.map(({ most, span }) => {
      if (span === 'day') return most
      if (span === 'month') return most / 31
      return span < DAY_MS ? Infinity : (most * DAY_MS) / span
    }),
  )
}

export interface DayNodes {
  /** addresses of the nodes by network, as an operator sets them */
  rpcUrls: Record<string, string[]>
  books: Record<string, Books>
  callsOf: (networkId: string) => number
  /** what rules of plans refused, by network, host and message */
  refused: () => string[]
  openRequests: () => number
  /** Has all nodes of an account refuse or cut every request, or answer again. */
  setOutage: (account: string, kind: DoubleServer['outage']['kind']) => void
  stop: () => Promise<void>
}

/** Doubles under the hosts of their vendors, so that the product knows the plans. */
export async function startDayNodes(options: {
  clock: FakeClock
  networks: readonly { id: string; chain: MemoryChain; hosts: readonly string[] }[]
}): Promise<DayNodes> {
  const { clock, networks } = options
  const hosts = nameVendorHosts()
  const books = Object.fromEntries(
    Object.entries(ACCOUNTS).map(([name, vendor]) => [name, createBooks(vendor, clock)]),
  )
  const nodes: { id: string; host: string; double: NodeDouble }[] = []
  for (const { id, chain, hosts: own } of networks)
    for (const host of own) {
      const name = Object.keys(ACCOUNTS).find((account) => host.endsWith(account))!
      const vendor = ACCOUNTS[name]!
      const double = await startNode({ vendor, chain, clock, books: books[name]!, keepsAsked: false })
      nodes.push({ id, host, double })
    }
  return {
    rpcUrls: Object.fromEntries(
      networks.map(({ id }) => [
        id,
        nodes.filter((node) => node.id === id).map(({ host, double }) => hosts.urlOf(host, double.nodeUrl)),
      ]),
    ),
    books,
    callsOf: (networkId) =>
      nodes
        .filter(({ id }) => id === networkId)
        .reduce((sum, { double }) => sum + [...double.counts.values()].reduce((a, b) => a + b, 0), 0),
    refused: () =>
      nodes.flatMap(({ id, host, double }) =>
        [...double.refused].map(([message, count]) => `${id} ${host} ${count} x ${message}`),
      ),
    openRequests: hosts.open,
    setOutage(account, kind) {
      for (const { host, double } of nodes) if (host.endsWith(account)) double.outage.kind = kind
    },
    async stop() {
      await hosts.stop()
      await Promise.all(nodes.map(({ double }) => double.stop()))
    },
  }
}
