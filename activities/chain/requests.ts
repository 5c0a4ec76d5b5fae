import { countForPlan, type PlanWallets } from '../../db/chain/count-for-plan.ts'
import { NETWORKS, type Network } from '../../db/values/networks.ts'
import type { AreaRequests, Asking, PlanSettings } from '../requests.ts'
import { pacedSeconds, regular } from '../requests.ts'
import { ALCHEMY_TRANSFERS_UNITS } from './area.ts'
import { ALCHEMY_TRANSFERS } from './sources/alchemy-transfers.ts'

/**
 * Requests of a sync of a wallet to which nothing happened since the last one, in new blocks. A wallet of Tron adds one
 * for each token. Addresses of Bitcoin and its kin are counted apart.
 */
export const REQUESTS_OF_SYNC = {
  bitcoin: 5,
  utxo: 9,
  tron: 18,
  xrpl: 6,
  cosmos: 8,
  sui: 5,
  ton: 18,
  cardano: 12,
} as const
/** An address that was used: its counters, and its part of the blocks and of the unused addresses between. */
export const REQUESTS_OF_ADDRESS = 2
/** The unused addresses at the ends of the branches of an extended key. */
const REQUESTS_OF_KEY = 40

/** Streams of an address that an explorer lists one by one. */
export const EXPLORER_STREAMS: Readonly<Record<string, number>> = {
  etherscan: 5,
  routescan: 5,
  blockscout: 3,
  'alchemy-transfers': 2,
}

/** activities/chain/follow/bitcoin-reader.ts: the hash of the tip each minute, and two calls for a block. */
const BITCOIN_TIP_SECONDS = 60
const CALLS_OF_BLOCK = 2

/** activities/chain/check-wallets.ts */
export const ACCOUNTS_OF_CALL = 100
/** Token accounts are listed once a day, by two programs. */
export const CALLS_OF_LIST = 2

/** What a household has, as docs/live.md assumes it. */
const ASSUMED: PlanWallets[] = [
  ...['ethereum', 'base-wallet', 'polygon-wallet', 'arbitrum-wallet'].map((networkId) => ({
    networkId,
    wallets: 6,
    unread: 6,
    accounts: 0,
    keys: 0,
  })),
  { networkId: 'bitcoin', wallets: 2, unread: 2, accounts: 30, keys: 1 },
  { networkId: 'solana', wallets: 2, unread: 2, accounts: 12, keys: 0 },
]

/** What wallets ask explorers and the services of networks without nodes. Nodes are planned by network. */
export const chainRequests: AreaRequests = async (db, settings) => {
  const counted = db ? await countForPlan(db) : ASSUMED
  const byId = new Map(NETWORKS.map((network): [string, Network] => [network.id, network]))
  const known = counted.flatMap((of) => {
    const network = byId.get(of.networkId)
    return network ? [{ of, network }] : []
  })
  return {
    counts: Object.fromEntries(known.map(({ of, network }) => [`wallets on ${network.name}`, of.wallets])),
    askings: known.flatMap(({ of, network }) => askingsOf(network, { of, settings })),
  }
}

interface Input {
  of: PlanWallets
  settings: PlanSettings
}

function askingsOf(network: Network, input: Input): Asking[] {
  const source = network.history.find((name) => input.settings.planOf(name) !== null)
  if (source === undefined) return []
  switch (network.kind) {
    case 'evm':
      return ofExplorer(network, { ...input, source })
    case 'solana':
      return ofSolana({ ...input, source })
    case 'bitcoin':
      return input.settings.isFollowed(network.id)
        ? ofBlocks(network, source)
        : ofSyncs(network, { ...input, source })
    case 'utxo':
    case 'tron':
    case 'xrpl':
    case 'ton':
    case 'cosmos':
    case 'sui':
    case 'cardano':
      return ofSyncs(network, { ...input, source })
    default:
      return network.kind satisfies never
  }
}

const named = (network: Network) => `wallets on ${network.name}`

/** How old a wallet gets before a run of the schedule syncs it. */
function syncSeconds({ schedule }: PlanSettings): number {
  const { everySeconds, input } = schedule('refresh-wallets')
  return pacedSeconds(everySeconds, (input as { olderThanSeconds: number }).olderThanSeconds * 1_000)
}

function ofSyncs(network: Network, { of, settings, source }: Input & { source: string }): Asking[] {
  const requests = REQUESTS_OF_SYNC[network.kind as keyof typeof REQUESTS_OF_SYNC]
  // A stake address of Cardano is read at once, with all its addresses.
  const walked = network.utxo ? REQUESTS_OF_ADDRESS * of.accounts + REQUESTS_OF_KEY * of.keys : 0
  const each = requests * of.wallets + walked
  return [
    { ...regular({ source, what: named(network), each, seconds: syncSeconds(settings) }), items: of.wallets },
  ]
}

/** A quiet wallet costs nothing: each block is read once for all. */
function ofBlocks(network: Network, source: string): Asking[] {
  const heads = { source, work: 'heads' } as const
  return [
    regular({ ...heads, what: `the head of ${network.name}`, each: 1, seconds: BITCOIN_TIP_SECONDS }),
    regular({
      ...heads,
      what: `blocks of ${network.name}`,
      each: CALLS_OF_BLOCK,
      seconds: network.blockMs! / 1_000,
    }),
  ]
}

function ofSolana({ of, settings, source }: Input & { source: string }): Asking[] {
  const { everySeconds, input } = settings.schedule('check-wallets')
  const seconds = pacedSeconds(everySeconds, (input as { olderThanSeconds: number }).olderThanSeconds * 1_000)
  const calls = Math.ceil(Math.max(of.wallets, of.accounts) / ACCOUNTS_OF_CALL)
  return [
    {
      ...regular({ source, what: 'balances of wallets on Solana', each: calls, seconds }),
      items: of.wallets,
    },
    regular({
      source,
      what: 'lists of token accounts',
      each: CALLS_OF_LIST * of.wallets,
      seconds: 86_400,
    }),
  ]
}

/** The explorer that is first in the order of a network. The wallets of followed ones are read once. */
function ofExplorer(network: Network, { of, settings, source }: Input & { source: string }): Asking[] {
  const calls = EXPLORER_STREAMS[source]!
  const what = named(network)
  const priced = (asking: Asking): Asking =>
    source === ALCHEMY_TRANSFERS ? { ...asking, units: asking.requests * ALCHEMY_TRANSFERS_UNITS } : asking
  return [
    priced({
      source,
      what: `histories of ${what}`,
      work: 'history',
      requests: calls * of.unread,
      seconds: null,
    }),
    ...(settings.isFollowed(network.id)
      ? []
      : [
          priced({
            ...regular({ source, what, each: calls * of.wallets, seconds: syncSeconds(settings) }),
            items: of.wallets,
          }),
        ]),
  ]
}
