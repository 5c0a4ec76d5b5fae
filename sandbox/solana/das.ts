import { pool, systemProgram } from './actors.ts'
import { type SolanaAsset, solanaAssets, type SolanaCollection, solanaCollections } from './assets.ts'
import { keyOf, usdc } from './tokens.ts'

export type DasAnswer = { result: unknown } | { error: { code: number; message: string } }

interface Display {
  showUnverifiedCollections?: boolean
  showCollectionMetadata?: boolean
  showFungible?: boolean
}

const failed = (message: string): DasAnswer => ({ error: { code: -32000, message } })
const imageOf = (name: string): string =>
  `https://images.sluice.example/solana/${encodeURIComponent(name)}.png`

const [AUTHORITY, TREE] = [keyOf('authority'), keyOf('tree')]

const uncompressed = {
  eligible: false,
  compressed: false,
  data_hash: '',
  creator_hash: '',
  asset_hash: '',
  tree: '',
  seq: 0,
  leaf_id: 0,
}

/** What assets and collections have in common, in the standard's form. */
function base(id: string, name: string, symbol: string) {
  const image = imageOf(name)
  return {
    id,
    content: {
      $schema: 'https://schema.metaplex.com/nft1.0.json',
      json_uri: `https://metadata.sluice.example/${id}.json`,
      files: [{ uri: image, mime: 'image/png' }],
      metadata: { name, symbol, description: `${name} on the river.` },
      links: { image, external_url: 'https://river.example' },
    },
    authorities: [{ address: AUTHORITY, scopes: ['full'] }],
    compression: uncompressed,
    grouping: [] as unknown[],
    royalty: {
      royalty_model: 'creators',
      target: null,
      percent: 0.05,
      basis_points: 500,
      primary_sale_happened: true,
      locked: false,
    },
    creators: [],
    ownership: {
      frozen: false,
      delegated: false,
      delegate: null as string | null,
      ownership_model: 'single',
      owner: AUTHORITY,
    },
    supply: null as unknown,
    mutable: true,
    burnt: false,
  }
}

function collectionRow(one: SolanaCollection) {
  return {
    interface: one.interface === 'MplCoreAsset' ? 'MplCoreCollection' : 'V1_NFT',
    ...base(one.address, one.name, one.symbol),
  }
}

function assetRow({ id, collection, number, owner, state, verified }: SolanaAsset, display: Display) {
  const name = collection ? `${collection.name} #${number}` : `Lone Otter #${number}`
  const row = base(id, name, collection?.symbol ?? 'OTTER')
  const attributes = Object.entries(collection?.traits ?? {}).map(([trait_type, values]) => ({
    trait_type,
    value: values[number % values.length]!,
  }))
  const metadata = collection &&
    display.showCollectionMetadata && {
      collection_metadata: {
        name: collection.name,
        symbol: collection.symbol,
        image: imageOf(collection.name),
        description: `${collection.name} on the river.`,
        external_url: '',
      },
    }
  const isShown = collection && (verified || display.showUnverifiedCollections)
  return {
    interface: collection?.interface ?? 'V1_NFT',
    ...row,
    content: { ...row.content, metadata: { ...row.content.metadata, attributes } },
    compression: collection?.compressed
      ? {
          ...uncompressed,
          compressed: true,
          data_hash: keyOf(`data ${id}`),
          creator_hash: keyOf(`creator ${id}`),
          asset_hash: keyOf(`leaf ${id}`),
          tree: TREE,
          seq: number,
          leaf_id: number - 1,
        }
      : uncompressed,
    grouping: isShown
      ? [
          {
            group_key: 'collection',
            group_value: collection.address,
            ...(display.showUnverifiedCollections && { verified }),
            ...metadata,
          },
        ]
      : [],
    ownership: {
      ...row.ownership,
      owner,
      frozen: state === 'frozen',
      delegated: state === 'delegated',
      delegate: state === 'delegated' ? pool : null,
    },
    burnt: state === 'burnt',
  }
}

/** A fungible token in the same form, which lists have on request. */
const fungibleRow = (owner: string) => ({
  interface: 'FungibleToken',
  ...base(usdc.mint, 'USD Coin', 'USDC'),
  ownership: { ...base('', '', '').ownership, ownership_model: 'token', owner },
  token_info: {
    balance: 1_000_000,
    supply: 10_000_000,
    decimals: usdc.decimals,
    token_program: usdc.program,
  },
})

type Params = Record<string, unknown>

function list(rows: readonly (() => unknown)[], params: Params): DasAnswer {
  const { page, limit = 1_000, before, after, cursor } = params
  const [number, size] = [page ?? 1, limit]
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 1 || size > 1_000)
    return failed('Pagination Error. Limit should not be greater than 1000')
  if ([page, before ?? after, cursor].filter((one) => one !== undefined).length > 1)
    return failed('Pagination Error. Only one pagination parameter supported per query.')
  if (before !== undefined || after !== undefined || cursor !== undefined)
    return failed('the sandbox supports only page')
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 1)
    return failed('Pagination Error. Page must be greater than 0')
  const items = rows.slice((number - 1) * size, number * size).map((row) => row())
  return { result: { total: items.length, limit: size, page: number, items } }
}

/** Base58 of 32 bytes, as far as its length says it. */
const isKey = (value: unknown): value is string =>
  typeof value === 'string' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value)

/** The Digital Asset Standard over the sandbox's assets, with named parameters. null: it has no such method */
export function answerDas(method: string, given: unknown): DasAnswer | null {
  const params = (Array.isArray(given) ? {} : given) as Params
  const display = (params['displayOptions'] ?? params['options'] ?? {}) as Display
  const shown = (assets: readonly SolanaAsset[]) => assets.map((one) => () => assetRow(one, display))
  switch (method) {
    case 'getAsset': {
      const { id } = params
      if (!isKey(id)) return failed(`Pubkey Validation Err: ${String(id)} is invalid`)
      const collection = solanaCollections.find(({ address }) => address === id)
      if (collection) return { result: collectionRow(collection) }
      const asset = solanaAssets.find((one) => one.id === id)
      return asset
        ? { result: assetRow(asset, display) }
        : failed('Database Error: RecordNotFound Error: Asset Not Found')
    }
    case 'getAssetsByOwner': {
      const { ownerAddress: owner } = params
      if (!isKey(owner)) return failed(`Pubkey Validation Err: ${String(owner)} is invalid`)
      const own = shown(solanaAssets.filter((one) => one.owner === owner))
      const isFunded = display.showFungible === true && owner !== systemProgram
      return list(isFunded ? [...own, () => fungibleRow(owner)] : own, params)
    }
    case 'getAssetsByGroup': {
      const { groupKey, groupValue } = params
      if (groupKey !== 'collection') return failed('Validation Error: Invalid Group Key')
      const own = solanaAssets.filter(
        ({ collection, verified }) => collection?.address === groupValue && verified,
      )
      return list(shown(own), params)
    }
    default:
      return null
  }
}
