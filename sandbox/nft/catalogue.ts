import { tokenOf, type NetworkId } from '../chain/tokens.ts'
import { hashText } from '../market/noise.ts'

export type SandboxCollection = {
  slug: string
  network: NetworkId
  address: `0x${string}`
  standard: 'erc721' | 'erc1155'
  name: string
  symbol: string
  category: string
  description: string
  /** Mean of the floor price. */
  floorEth: number
  /** Number of tokens; null: as many as on the chain */
  size: number | null
  verified: boolean
  creatorFeePercent: number
  createdDate: string
  /** null: not listed at CoinGecko */
  geckoId: string | null
  trending: boolean
  /** The marketplace has no metadata of tokens from this id on. */
  undescribedFrom: number
  traits: Record<string, readonly string[]>
}

const traitSets: Record<string, readonly string[]>[] = [
  {
    Background: ['Dawn', 'Noon', 'Dusk', 'Night', 'Gold'],
    Body: ['Oak', 'Steel', 'Copper', 'Glass'],
    Eyes: ['Calm', 'Wide', 'Closed', 'Laser'],
    Hat: ['Cap', 'Crown', 'Hood'],
  },
  {
    Palette: ['Ink', 'Moss', 'Clay', 'Chalk'],
    Lines: ['Straight', 'Curved', 'Broken'],
    Frame: ['Thin', 'Wide'],
  },
  { Rank: ['Common', 'Rare', 'Epic'], Season: ['One', 'Two', 'Three'] },
]

type Short = [
  slug: string,
  name: string,
  category: string,
  floorEth: number,
  size: number,
  network?: NetworkId,
  standard?: 'erc1155',
]

/** Collections of the marketplace only: no sandbox chain has their contracts. */
const invented: Short[] = [
  ['weir-walkers', 'Weir Walkers', 'pfps', 12.4, 380],
  ['mill-mutts', 'Mill Mutts', 'pfps', 4.6, 320],
  ['canal-cats', 'Canal Cats', 'pfps', 2.1, 360],
  ['barge-bots', 'Barge Bots', 'pfps', 0.9, 300],
  ['heron-heads', 'Heron Heads', 'pfps', 0.35, 280],
  ['otter-order', 'Otter Order', 'memberships', 1.4, 160],
  ['spillway-squares', 'Spillway Squares', 'art', 6.2, 180],
  ['siltscapes', 'Siltscapes', 'art', 1.9, 210],
  ['meander-studies', 'Meander Studies', 'art', 0.62, 240],
  ['floodlight-photos', 'Floodlight Photos', 'photography', 0.18, 150],
  ['delta-domains', 'Delta Domains', 'domain-names', 0.03, 400],
  ['locktown-land', 'Locktown Land', 'virtual-worlds', 0.74, 340],
  ['ferry-fares', 'Ferry Fares', 'gaming', 0.05, 60, 'ethereum', 'erc1155'],
  ['turbine-tunes', 'Turbine Tunes', 'music', 0.11, 120],
  ['ripple-rabbits', 'Ripple Rabbits', 'pfps', 0.08, 260, 'base-wallet'],
  ['basin-badges', 'Basin Badges', 'memberships', 0.006, 40, 'base-wallet', 'erc1155'],
  ['estuary-elves', 'Estuary Elves', 'gaming', 0.021, 220, 'base-wallet'],
  ['harbour-haiku', 'Harbour Haiku', 'art', 0.014, 130, 'base-wallet'],
]

const words = (slug: string): string => slug.replaceAll('-', ' ')
const addressOf = (slug: string): `0x${string}` =>
  `0x4e47${[1, 2, 3, 4].map((n) => hashText(n, slug).toString(16).padStart(8, '0')).join('')}0000`

const market = invented.map(
  ([slug, name, category, floorEth, size, network = 'ethereum', standard], i): SandboxCollection => ({
    slug,
    name,
    category,
    floorEth,
    size,
    network,
    standard: standard ?? 'erc721',
    address: addressOf(slug),
    symbol: slug
      .split('-')
      .map((word) => word[0]!.toUpperCase())
      .join(''),
    description: `${size} ${words(slug)} of the sandbox; their figures are invented.`,
    verified: i % 5 !== 4,
    creatorFeePercent: [5, 2.5, 0, 7.5][i % 4]!,
    createdDate: `202${1 + (i % 4)}-0${1 + (i % 9)}-1${i % 10}`,
    geckoId: i % 6 === 5 ? null : slug,
    trending: true,
    undescribedFrom: Infinity,
    traits: traitSets[i % traitSets.length]!,
  }),
)

function onChain(
  key: string,
  given: Pick<SandboxCollection, 'slug' | 'category' | 'floorEth'> & Partial<SandboxCollection>,
): SandboxCollection {
  const token = tokenOf('ethereum', key)
  const { network, address, name, symbol, kind } = token
  return {
    network,
    address,
    name,
    symbol,
    standard: kind === 'erc1155' ? 'erc1155' : 'erc721',
    size: null,
    description: `${name} on the sandbox chain.`,
    verified: true,
    creatorFeePercent: 2.5,
    createdDate: '2024-02-03',
    geckoId: null,
    trending: false,
    undescribedFrom: Infinity,
    traits: traitSets[0]!,
    ...given,
  }
}

/**
 * The marketplace's collections. It lacks the contracts of Onchain Tides, Delta Passes and the spam, and the
 * metadata of Fog Banks.
 */
export const collections: readonly SandboxCollection[] = [
  ...market,
  onChain('NFT', {
    slug: 'sluice-gates',
    category: 'art',
    floorEth: 0.06,
    geckoId: 'sluice-gates',
    trending: true,
  }),
  onChain('LOCK', { slug: 'lock-keepers', category: 'pfps', floorEth: 0.05, geckoId: 'lock-keepers' }),
  onChain('FOG', {
    slug: 'fog-banks',
    category: 'art',
    floorEth: 0.02,
    verified: false,
    undescribedFrom: 1,
    traits: {},
  }),
  onChain('STAMP', {
    slug: 'river-stamps',
    category: 'gaming',
    floorEth: 0.004,
    undescribedFrom: 9,
    traits: traitSets[2]!,
  }),
]
