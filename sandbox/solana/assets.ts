import { outsiders, solanaWallets } from './actors.ts'
import { keyOf } from './tokens.ts'

/** Collections of the sandbox on Solana. `size`: number of tokens. */
export interface SolanaCollection {
  address: string
  name: string
  symbol: string
  /** null: not listed at CoinGecko */
  geckoId: string | null
  /** in SOL */
  floor: number
  size: number
  interface: 'V1_NFT' | 'ProgrammableNFT' | 'MplCoreAsset'
  compressed: boolean
  traits: Record<string, readonly string[]>
}

const traits = { Water: ['Still', 'Fast', 'Deep'], Bank: ['Sand', 'Reed'] }

/** None of their tokens has a token account, so the wallets' balances are those without them. */
export const solanaCollections: readonly SolanaCollection[] = [
  {
    address: keyOf('collection river rafts'),
    name: 'River Rafts',
    symbol: 'RAFT',
    geckoId: 'river-rafts',
    floor: 12.5,
    size: 40,
    interface: 'MplCoreAsset',
    compressed: false,
    traits,
  },
  {
    address: keyOf('collection delta drops'),
    name: 'Delta Drops',
    symbol: 'DROP',
    geckoId: null,
    floor: 0.02,
    // More than a page.
    size: 1_020,
    interface: 'V1_NFT',
    compressed: true,
    traits,
  },
]

export interface SolanaAsset {
  id: string
  /** null: it has no collection */
  collection: SolanaCollection | null
  number: number
  owner: string
  state: 'free' | 'frozen' | 'delegated' | 'burnt'
  /** false: the collection has not confirmed it */
  verified: boolean
}

const [trader, holder] = solanaWallets.map(({ address }) => address)
const STATES = ['free', 'frozen', 'delegated', 'burnt'] as const

/** The trader has eight rafts in each state, the holder the drops; strangers have the rest. */
const ofCollections = solanaCollections.flatMap((collection) =>
  Array.from({ length: collection.size }, (_, i): SolanaAsset => {
    const mine = collection.compressed ? holder : i < 8 ? trader : undefined
    return {
      id: keyOf(`asset ${collection.symbol} ${i + 1}`),
      collection,
      number: i + 1,
      owner: mine ?? outsiders[i % outsiders.length]!,
      state: collection.compressed ? 'free' : STATES[i % STATES.length]!,
      verified: true,
    }
  }),
)
const lone = (number: number, collection: SolanaCollection | null): SolanaAsset => ({
  id: keyOf(`asset lone ${number}`),
  collection,
  number,
  owner: trader!,
  state: 'free',
  verified: false,
})

/** By id, in the order of the standard's default sort. */
export const solanaAssets: readonly SolanaAsset[] = [
  ...ofCollections,
  // One without a collection, and one that only says that it belongs to one.
  lone(1, null),
  lone(2, solanaCollections[0]!),
].sort((a, b) => (a.id < b.id ? -1 : 1))
