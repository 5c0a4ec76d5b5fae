import { chainArea } from '../activities/chain/area.ts'
import { PROTOCOLS } from '../activities/defi/protocols.ts'
import type { Family, ProtocolNames } from '../activities/defi/position.ts'
import { SOLANA_PROTOCOLS } from '../activities/defi/solana/protocols.ts'
import { predictionArea } from '../activities/prediction/area.ts'
import type { PredictionSources } from '../activities/prediction/prediction-sources.ts'
import { createVenues, type Venue } from '../activities/prediction/venues.ts'
import { RISK_CHAINS } from '../db/risk/chains.ts'
import { type ChainKind, type Network, NETWORKS, networkWithId } from '../db/values/networks.ts'
import type { PredictionVenue } from '../db/prediction/tables.ts'
import { PREDICTION_VENUES } from '../db/values/prediction-venues.ts'
import { networks as simulated } from '../sandbox/chain/networks.ts'
import { printTable, replaceTables } from './page-tables.ts'

/** Returns docs/coverage.md with fresh tables of networks, protocols and prediction venues. */
export const printCoverage = (page: string): string =>
  replaceTables(page, {
    'Networks of `all`': tableOf(NETWORKS.filter(({ inAll }) => inAll)),
    'Networks that you turn on': tableOf(NETWORKS.filter(({ inAll, kind }) => !inAll && kind === 'evm')),
    'DeFi protocols': printTable(PROTOCOL_HEADS, protocolRows()),
    'Other families that you turn on': printTable(FAMILY_HEADS, OTHER_FAMILIES.map(familyRowOf)),
    'Prediction venues': printTable(VENUE_HEADS, venueRows()),
  })

const HEADS = [
  'Network',
  '`connectionId`',
  'Chain id',
  'History from',
  'Public nodes',
  'Prices',
  'DeFi',
  'NFTs',
  'Token risks',
  'Can be followed',
  'Synced in tests',
]

const OTHER_FAMILIES = NETWORKS.filter(({ inAll, kind }) => !inAll && kind !== 'evm')

const FAMILY_HEADS = ['Network', '`connectionId`', 'Turned on by', 'Prices', 'Held against']

/** What is not ours that a family is tested with, beside its simulated chain. */
const FAMILY_WITNESSES: Record<Exclude<ChainKind, 'evm' | 'bitcoin' | 'solana'>, string> = {
  utxo: 'bitcoinjs-lib, recorded answers of Blockbook',
  tron: 'recorded answers of TronGrid',
  xrpl: 'recorded transactions, addresses of its documents',
  cosmos: 'recorded transactions of Initia and the Cosmos Hub, published module addresses and denominations',
  sui: 'the schema of `@mysten/sui`',
  cardano: 'the Python client `koios_api`, published types of Koios, addresses of CIP-19',
  ton: 'recorded answers of TON Center, the types of its indexer, addresses of its documents',
}

function familyRowOf({ id, name, names, history, kind }: Network): string[] {
  const variables = chainArea.sources.flatMap((source) =>
    (history as readonly string[]).includes(source.name) ? [`\`${source.urlVariable}\``] : [],
  )
  const priced = names.coingecko === null ? 'coin' : 'coin, tokens'
  return [
    name,
    `\`${id}\``,
    variables.join(', '),
    priced,
    FAMILY_WITNESSES[kind as keyof typeof FAMILY_WITNESSES],
  ]
}

const ALL_PROTOCOLS: readonly ProtocolNames[] = [...PROTOCOLS, ...SOLANA_PROTOCOLS]

const PROTOCOL_HEADS = ['Protocol', '`poolProjectId`', 'Family', 'Networks', 'Compared with']

/** What the readers of a family are compared with in tests; undefined: nothing but contracts of our own */
const WITNESSES: Partial<Record<Family, string>> = {
  'Aave v3': '`@aave/core-v3`',
  'Balancer v2': '`@balancer-labs/v2-deployments`',
  'Compound v2': '`@venusprotocol/venus-protocol`',
  'ERC-4626': '`@openzeppelin/contracts`',
  'Kamino Lend': '`@kamino-finance/klend-sdk`',
  Maker: '`@makerdao/testchain`',
  Marinade: '`@marinade.finance/marinade-ts-sdk`',
  'Morpho Blue': '`@morpho-org/morpho-blue`',
  'Native staking': 'the stake program of `litesvm`',
  Pendle: '`@pendle/core-v2`',
  'Raydium CLMM': '`@raydium-io/raydium-sdk`',
  'SPL stake pools': '`@solana/spl-stake-pool`',
  Stargate: '`@stargatefinance/stg-evm-v2`',
  'Uniswap v2': '`@uniswap/v2-core`, `v2-periphery`',
  'Uniswap v3': '`@uniswap/v3-core`, `v3-periphery`',
  'Uniswap v4': '`@uniswap/v4-periphery`',
  'Vote locks': '`@balancer-labs/v2-deployments`',
  Whirlpools: '`@orca-so/whirlpools-core`, `-client`',
}

const protocolRows = (): string[][] =>
  ALL_PROTOCOLS.map(({ id, name, family, networks }) => [
    name,
    `\`${id}\``,
    family,
    networks.map((network) => networkWithId(network).name).join(', '),
    WITNESSES[family] ?? 'not witnessed',
  ])

const VENUE_HEADS = ['`venue`', 'Turned on by', 'Money', 'Read', 'Traders', 'Held against']

/** Money of a venue, and what is not ours that its adapter is tested with, beside a double that refuses as the venue does. */
const VENUE_FACTS: Record<PredictionVenue, { money: string; witness: string }> = {
  polymarket: { money: 'USDC', witness: 'recorded answers' },
  kalshi: { money: 'USD', witness: 'recorded answers' },
  limitless: { money: 'USDC', witness: "CCXT's adapter, which reads the same from the double" },
  predictit: {
    money: 'USD',
    witness: 'the shape of its published clients; not witnessed by a recorded answer',
  },
  manifold: {
    money: 'mana, which is play money',
    witness:
      '`manifoldpy` of PyPI, which reads the same from the double, and the answers in its documents; not witnessed by a recorded answer',
  },
}

function venueRows(): string[][] {
  // Their parts are asked whether they are there, and ask nobody.
  const venues = createVenues({} as PredictionSources)
  return PREDICTION_VENUES.map((id) => {
    const source = predictionArea.sources.find(({ name }) => name === venues[id].sources.markets)!
    return [
      `\`${id}\``,
      source.defaultUrl === null ? `\`${source.urlVariable}\`` : 'always',
      VENUE_FACTS[id].money,
      partsOf(venues[id]).join(', '),
      isYes(venues[id].holders !== null),
      VENUE_FACTS[id].witness,
    ]
  })
}

const partsOf = ({ trades, orderBooks, history }: Venue): string[] => [
  'markets',
  ...(trades ? ['trades'] : []),
  ...(orderBooks ? ['order books'] : []),
  ...(history ? ['price histories'] : []),
]

const tableOf = (networks: readonly Network[]): string => printTable(HEADS, networks.map(rowOf))

/** Hosts of public nodes stand here where docs/live.md does not list them. */
function rowOf(network: Network): string[] {
  const { id, inAll, blockchain, name, names, chainId, history, publicNodes, blockMs } = network
  const protocols = ALL_PROTOCOLS.filter(({ networks }) => networks.includes(id))
  const priced = names.coingecko === null ? 'coin' : 'coin, tokens'
  return [
    name,
    `\`${id}\``,
    chainId === null ? '' : String(chainId),
    history.join(', '),
    inAll ? String(publicNodes.length) : publicNodes.map(hostOf).join(', '),
    priced,
    protocols.length === 0 ? '' : String(protocols.length),
    nftSources(network).join(', '),
    isYes((RISK_CHAINS as readonly string[]).includes(blockchain)),
    isYes(blockMs !== null),
    testedBy(id, chainId),
  ]
}

/** Without one, NFTs of wallets are what their transfers and contracts say. */
const nftSources = ({ kind, names, alchemyNfts }: Network): string[] => [
  ...(names.opensea === null ? [] : ['opensea']),
  ...(names.alchemy === null || !alchemyNfts ? [] : ['alchemy-nft']),
  ...(kind === 'solana' ? ['solana'] : []),
]

const hostOf = (url: string): string => new URL(url).host

const isYes = (has: boolean): string => (has ? 'yes' : '')

/** Other EVM networks share the code of the simulated ones. */
function testedBy(id: string, chainId: number | null): string {
  if (chainId === null) return 'recorded answers'
  return simulated.some((network) => network.id === id) ? 'simulated chain' : ''
}
