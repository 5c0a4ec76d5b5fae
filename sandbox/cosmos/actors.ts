import { createHash } from 'node:crypto'
import { bech32 } from '@scure/base'

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The address of a name, without a known key: the same key on each chain, as people have it. */
const addressOf = (prefix: string, name: string): string =>
  bech32.encode(prefix, bech32.toWords(sha256(`sandbox cosmos ${name}`).subarray(0, 20)))

const moduleOf = (prefix: string, name: string): string =>
  bech32.encode(prefix, bech32.toWords(sha256(name).subarray(0, 20)))

export const hashOf = (text: string): string => sha256(text).toString('hex').toUpperCase()

/** What a chain calls a coin that came over channels: `ibc/` and the hash of its way. */
export const ibcDenom = (path: string): string => `ibc/${sha256(path).toString('hex').toUpperCase()}`

export type CosmosDenom = {
  denom: string
  /** Of IBC: `transfer/channel-0/uatom`. null: the chain's own */
  path: string | null
  symbol: string
  decimals: number
  /** Coin id in the simulated market; null: unlisted. */
  coinId: string | null
}

export type CosmosNet = {
  id: 'cosmos' | 'osmosis' | 'celestia'
  prefix: string
  /** Of fees and stakes; it has six places. */
  denom: string
  coinId: string
  secondsPerBlock: number
  firstHeight: number
  denoms: CosmosDenom[]
}

const ofIbc = (path: string, symbol: string, coinId: string | null): CosmosDenom => ({
  denom: ibcDenom(path),
  path,
  symbol,
  decimals: 6,
  coinId,
})

/** The channels are the real ones, so the denominations are. */
export const COSMOS_NETS: CosmosNet[] = [
  {
    id: 'cosmos',
    prefix: 'cosmos',
    denom: 'uatom',
    coinId: 'cosmos',
    secondsPerBlock: 6,
    firstHeight: 16_000_000,
    denoms: [ofIbc('transfer/channel-141/uosmo', 'uosmo', 'osmosis')],
  },
  {
    id: 'osmosis',
    prefix: 'osmo',
    denom: 'uosmo',
    coinId: 'osmosis',
    secondsPerBlock: 2,
    firstHeight: 20_000_000,
    denoms: [
      ofIbc('transfer/channel-0/uatom', 'uatom', 'cosmos'),
      ofIbc('transfer/channel-750/uusdc', 'uusdc', 'usd-coin'),
      {
        denom: `factory/${addressOf('osmo', 'spammer')}/gift`,
        path: null,
        symbol: 'Claim at osmogift.example',
        decimals: 6,
        coinId: null,
      },
    ],
  },
  {
    id: 'celestia',
    prefix: 'celestia',
    denom: 'utia',
    coinId: 'celestia',
    secondsPerBlock: 6,
    firstHeight: 3_000_000,
    denoms: [],
  },
]

/** The actors of a chain. */
export const actorsOf = ({ prefix }: CosmosNet) => ({
  wallets: [
    { address: addressOf(prefix, 'holder'), label: 'Holder', weight: 3 },
    { address: addressOf(prefix, 'staker'), label: 'Staker', weight: 4 },
  ],
  exchange: addressOf(prefix, 'exchange'),
  relayer: addressOf(prefix, 'relayer'),
  restaker: addressOf(prefix, 'restaker'),
  granter: addressOf(prefix, 'granter'),
  spammer: addressOf(prefix, 'spammer'),
  outsiders: Array.from({ length: 30 }, (_, i) => addressOf(prefix, `outsider ${i}`)),
  validators: [0, 1].map((i) => addressOf(`${prefix}valoper`, `validator ${i}`)),
  modules: {
    fees: moduleOf(prefix, 'fee_collector'),
    heldFees: moduleOf(prefix, 'feemarket-fee-collector'),
    distribution: moduleOf(prefix, 'distribution'),
    bonded: moduleOf(prefix, 'bonded_tokens_pool'),
    transfer: moduleOf(prefix, 'transfer'),
    escrow: addressOf(prefix, 'escrow of a channel'),
    pool: addressOf(prefix, 'pool of an exchange'),
  },
})
export type Actors = ReturnType<typeof actorsOf>
