import { z } from 'zod'
import { type NetworkId, networkNamed, NETWORKS, networkWithId } from '../db/values/networks.ts'
import { isAddressOf, parseWalletAddress, WALLET_PATTERN } from '../db/values/wallet-address.ts'
import { listParam, WALLET_EXAMPLE } from './params.ts'
import { oneOf } from './reasons.ts'
import type { PricedItem } from './route.ts'

/** A network in a request. `all` may occur together with single networks; each item is charged. */
export type NetworkItem = NetworkId | 'all'

export interface WalletRef {
  network: NetworkItem
  /** Canonical address. */
  address: string
}

export const keyOfWallet = ({ network, address }: WalletRef): string => `${network}:${address}`

/** `forceall` asks to wait for every network. Answers of this service never wait, so it is `all`. */
const readNetwork = (text: string): NetworkItem | undefined =>
  text === 'all' || text === 'forceall' ? 'all' : networkNamed(text)?.id

const choice = (values: string[]) => ({
  type: 'string',
  enum: values,
  reason: (text: string) => oneOf(values, text),
})
const CONNECTION_ID = choice([...NETWORKS.map(({ id }) => id), 'all'])
const BLOCKCHAIN = choice([...NETWORKS.map(({ blockchain }) => blockchain), 'all'])

export const connectionIds = (place: { inBody?: boolean } = {}) =>
  listParam<NetworkItem>({
    ...place,
    readItem: readNetwork,
    item: CONNECTION_ID,
    description:
      'One network, several separated by commas, or `all` (Bitcoin, Solana and ten EVM networks); wins over `blockchain`. Names in /wallet/blockchains and /coins and codes of CCXT are accepted too, in any case',
  })

export const blockchains = (place: { inBody?: boolean } = {}) =>
  listParam<NetworkItem>({
    ...place,
    readItem: readNetwork,
    item: BLOCKCHAIN,
    description: 'One blockchain, several separated by commas, or `all`; used when `connectionId` is absent',
  })

/**
 * A query object with `connectionId` or `blockchain`, one of them required. Both become `networks`;
 * `connectionId` wins if both are sent. Only `networks` is priced.
 */
export function withNetworks<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .object({ ...shape, connectionId: connectionIds().optional(), blockchain: blockchains().optional() })
    .transform((query, context) => {
      const { connectionId, blockchain, ...rest } = query as {
        connectionId?: NetworkItem[]
        blockchain?: NetworkItem[]
      }
      const networks = connectionId ?? blockchain
      const { address } = rest as { address?: string }
      if (networks && (address === undefined || fitsNetworks(address, networks)))
        return { ...(rest as z.output<z.ZodObject<Shape>>), networks }
      context.addIssue({ code: 'custom', ...networkIssue(networks) })
      return z.NEVER
    })
}

/** What is wrong with a request that has no network, or an address of another one. */
export const networkIssue = (networks: readonly NetworkItem[] | undefined) =>
  networks
    ? {
        path: ['address'],
        message: 'It must be an address of each network that the request names, or of one of `all`',
      }
    : { path: ['connectionId'], message: 'Either it or `blockchain` is required' }

/** The same for endpoints that take one network or `all`. */
export function withOneNetwork<Shape extends z.ZodRawShape>(shape: Shape) {
  return withNetworks(shape).superRefine(({ networks }, context) => {
    if (networks.length > 1)
      context.addIssue({ code: 'custom', message: 'It must be one network, or all', path: ['connectionId'] })
  })
}

const networkNames = [
  ...new Set<string>(['all', ...NETWORKS.flatMap(({ id, blockchain }) => [id, blockchain])]),
].join('|')

/** Comma-separated `connectionId:address` or `blockchain:address` pairs. The first part may be `all`. */
export const walletPairs = () =>
  listParam<WalletRef>({
    readItem: (text) => {
      const [name, address, ...more] = text.split(':')
      const network = readNetwork(name ?? '')
      const canonical = parseWalletAddress(address ?? '')?.address
      if (!network || !canonical || more.length > 0) return undefined
      return fitsNetworks(canonical, [network]) ? { network, address: canonical } : undefined
    },
    keyOf: keyOfWallet,
    item: {
      type: 'string',
      pattern: `^(${networkNames}):${WALLET_PATTERN}$`,
      reason: 'connectionId:address or blockchain:address, with an address of that network',
    },
    description:
      'Comma-separated `connectionId:address` or `blockchain:address` pairs; the network may be `all`',
  }).meta({ example: [`ethereum:${WALLET_EXAMPLE}`, `base-wallet:${WALLET_EXAMPLE}`] })

/** Whether a canonical address is valid on every named network. One that no network of `all` has does not fit `all`. */
export function fitsNetworks(address: string, networks: readonly NetworkItem[]): boolean {
  return networks.every((network) =>
    network === 'all'
      ? NETWORKS.some((one) => one.inAll && isAddressOf(one, address))
      : isAddressOf(networkWithId(network), address),
  )
}

/** Prices a list of networks, or of wallets by network, item by item. */
export function pricedNetworks(networks: readonly NetworkItem[]): PricedItem[] {
  return networks.map((network) => (network === 'all' ? 'all' : 'one'))
}
