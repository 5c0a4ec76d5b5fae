import type { Allowance } from '../allowance.ts'

/** What a node's vendor counts, and how much of it the plan allows. */
export interface NodePlan {
  /** whose allowance it is: that of a vendor, whose nodes of several networks share it, or of one host */
  account: string
  /** the vendor's units of a call */
  cost: (method: string) => number
  /** null: none is known */
  allowance: Allowance | null
}

/** Alchemy: compute units. */
const ALCHEMY: Record<string, number> = { eth_chainId: 0, eth_blockNumber: 10, eth_call: 26, eth_getLogs: 60 }
/** Infura: credits. Methods that are not in its table cost 80. */
const INFURA: Record<string, number> = { eth_chainId: 5, eth_getLogs: 255, eth_getBlockReceipts: 1_000 }

/** Free plans of vendors, by the end of their hosts. NODE_BUDGETS overrides the units of a day. */
const PLANS: Record<string, Omit<NodePlan, 'account'>> = {
  'alchemy.com': { cost: (method) => ALCHEMY[method] ?? 20, allowance: { units: 30_000_000, per: 'month' } },
  'infura.io': { cost: (method) => INFURA[method] ?? 80, allowance: { units: 3_000_000, per: 'day' } },
  'drpc.org': { cost: () => 20, allowance: { units: 7_000_000, per: 'day' } },
}
const ONE_PER_CALL = { cost: () => 1, allowance: null }

/** `budgets`: units of a day by host, or by the end of a host. */
export function planOf(url: string, budgets: ReadonlyMap<string, number>): NodePlan {
  const { host, hostname } = new URL(url)
  const named = (name: string) => name === host || hostname === name || hostname.endsWith(`.${name}`)
  const vendor = Object.keys(PLANS).find(named)
  const budget = [...budgets].find(([name]) => named(name))
  const plan = (vendor !== undefined && PLANS[vendor]) || ONE_PER_CALL
  const allowance: Allowance | null = budget ? { units: budget[1], per: 'day' } : plan.allowance
  return { ...plan, account: budget?.[0] ?? vendor ?? host, allowance }
}

/** What the accounts of all nodes may spend, as far as it is known. */
export function allowancesOf(config: {
  rpcUrls: Readonly<Record<string, readonly string[]>>
  nodeBudgets: ReadonlyMap<string, number>
}): (Allowance & { account: string })[] {
  const plans = Object.values(config.rpcUrls).flatMap((urls) =>
    urls.map((url) => planOf(url, config.nodeBudgets)),
  )
  const known = new Map(plans.map(({ account, allowance }) => [account, allowance]))
  return [...known].flatMap(([account, allowance]) => (allowance ? [{ account, ...allowance }] : []))
}
