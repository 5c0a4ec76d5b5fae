import type { RateLimit } from './node-rate.ts'
import type { Allowance } from '../allowance.ts'
import type { NodeBudgets } from '../ingest-config.ts'

/** What a node's vendor counts, and how much of it the plan allows. */
export interface NodePlan {
  /** whose allowance it is: that of a vendor, whose nodes of several networks share it, or of one host */
  account: string
  /** what its vendor counts */
  unit: string
  /** the vendor's units of a call */
  cost: (method: string) => number
  /** null: none is known */
  allowance: Allowance | null
  /** null: none is known */
  rate: PlanRate | null
}

/** Units that a vendor lets through in a second. They may differ from those of the allowance. */
export interface PlanRate {
  unitsASecond: number
  cost: (method: string) => number
  /** what may pass at once after a pause: a dearer call is never answered */
  burst: number
}

/** Alchemy: compute units. */
const ALCHEMY: Record<string, number> = { eth_chainId: 0, eth_blockNumber: 10, eth_call: 26, eth_getLogs: 60 }
/** Infura: credits. Methods that are not in its table cost 80. */
const INFURA: Record<string, number> = { eth_chainId: 5, eth_getLogs: 255, eth_getBlockReceipts: 1_000 }

/** Alchemy's receipts cost 20 of the month, and 500 of the second. */
const alchemyRate = (method: string): number =>
  method === 'eth_getBlockReceipts' ? 500 : (ALCHEMY[method] ?? 20)
const infura = (method: string): number => INFURA[method] ?? 80

/** Free plans of vendors, by the end of their hosts. NODE_BUDGETS overrides the units of a day and of a second. */
const PLANS: Record<string, Omit<NodePlan, 'account'>> = {
  'alchemy.com': {
    unit: 'compute units',
    cost: (method) => ALCHEMY[method] ?? 20,
    allowance: { units: 30_000_000, per: 'month' },
    // 5,000 units in 10 s
    rate: { unitsASecond: 500, cost: alchemyRate, burst: 5_000 },
  },
  'infura.io': {
    unit: 'credits',
    cost: infura,
    allowance: { units: 3_000_000, per: 'day' },
    // Whether a call of 1,000 is answered at 500 a second is not documented: the worker learns it from a refusal.
    rate: { unitsASecond: 500, cost: infura, burst: 1_000 },
  },
  'drpc.org': {
    unit: 'compute units',
    cost: () => 20,
    allowance: { units: 7_000_000, per: 'day' },
    // 120,000 units in a minute
    rate: { unitsASecond: 2_000, cost: () => 20, burst: 120_000 },
  },
  // It publishes no limit. So much is asked of it without a request for more.
  'publicnode.com': {
    unit: 'requests',
    cost: () => 1,
    allowance: { units: 200_000, per: 'day' },
    rate: null,
  },
}
const ONE_PER_CALL = { unit: 'requests', cost: () => 1, allowance: null, rate: null }

/** `budgets`: by host, or by the end of a host. */
export function planOf(url: string, budgets: NodeBudgets): NodePlan {
  const { host, hostname } = new URL(url)
  const named = (name: string) => name === host || hostname === name || hostname.endsWith(`.${name}`)
  const vendor = Object.keys(PLANS).find(named)
  const budget = [...budgets].find(([name]) => named(name))
  const plan = (vendor !== undefined && PLANS[vendor]) || ONE_PER_CALL
  const allowance: Allowance | null = budget ? { units: budget[1].aDay, per: 'day' } : plan.allowance
  const account = budget?.[0] ?? vendor ?? host
  return { ...plan, account, allowance, rate: rateOf(plan, budget?.[1].aSecond ?? null) }
}

function rateOf(
  { rate, cost }: Pick<NodePlan, 'rate' | 'cost'>,
  unitsASecond: number | null,
): PlanRate | null {
  if (unitsASecond === null) return rate
  return { cost: rate?.cost ?? cost, unitsASecond, burst: Math.max(unitsASecond, rate?.burst ?? 0) }
}

/** Requests a second on free plans, by the end of hosts. */
const REQUESTS: Record<string, number> = { 'alchemy.com': 25, 'ankr.com': 30 }

/** Vendors whose free plans are known: the end of their hosts, and what they count. */
export const VENDORS: readonly { host: string; unit: string }[] = [
  ...new Set([...Object.keys(PLANS), ...Object.keys(REQUESTS)]),
].map((host) => ({ host, unit: PLANS[host]?.unit ?? 'requests' }))

/** How fast a node may be asked. A plan of NODE_BUDGETS, which are by day, has no known number of requests. */
export function limitsOf(url: string, { rate, allowance }: NodePlan): RateLimit[] {
  const { hostname } = new URL(url)
  const free = Object.entries(REQUESTS).find(([name]) => hostname.endsWith(name))
  return [
    ...(free && allowance?.per !== 'day' ? [{ most: free[1], perMs: 1_000 }] : []),
    ...(rate ? [{ most: rate.burst, perMs: (1_000 * rate.burst) / rate.unitsASecond, cost: rate.cost }] : []),
  ]
}

/** Calls a second, counted as reads of contracts where a plan counts units. null: no limit is known */
export function paceOf(
  url: string,
  plan: NodePlan,
): { requestsPerSecond: number; burst: number } | { requestsPerSecond: null; burst: null } {
  const paces = limitsOf(url, plan).map(({ most, perMs, cost = () => 1 }) => {
    const calls = most / cost('eth_call')
    return { requestsPerSecond: (1_000 * calls) / perMs, burst: Math.max(1, Math.floor(calls)) }
  })
  return (
    paces.toSorted((a, b) => a.requestsPerSecond - b.requestsPerSecond)[0] ?? {
      requestsPerSecond: null,
      burst: null,
    }
  )
}

/** Name of a node as a source: network and host, without the key. */
export const nodeSource = (networkId: string, url: string): string => `${networkId} ${new URL(url).host}`
