import { expect, test } from 'vitest'
import { NETWORKS } from '../../db/values/networks.ts'

/** `ChainIdentifier` of OpenSea's OpenAPI, from `@opensea/api-types` 0.12.0. */
const OF_OPENSEA =
  'blast base ethereum zora arbitrum sei avalanche polygon optimism ape_chain flow b3 soneium ronin bera_chain solana shape unichain gunzilla abstract animechain hyperevm somnia monad hyperliquid megaeth ink robinhood stablechain arc'.split(
    ' ',
  )

/** Main networks of Alchemy's NFT API: servers of src/openapi/nft/nft.yaml in alchemyplatform/docs, commit 04ac0531. */
const OF_ALCHEMY =
  'eth abstract anime apechain arb avax base berachain blast bnb celo gnosis lens linea polygon monad mythos opt robinhood ronin rootstock scroll settlus shape soneium starknet story unichain worldchain zetachain zksync zora'
    .split(' ')
    .map((name) => `${name}-mainnet`)

/** Chains of these vendors that are no network here: without a row, or in OpenSea's case of another kind. */
const NOT_HERE = ['flow', 'b3', 'gunzilla', 'animechain', 'somnia', 'robinhood', 'stablechain', 'arc']

test('OpenSea knows each network by the name that it has there, and none that it has is missing', () => {
  const named = NETWORKS.flatMap(({ names }) => names.opensea ?? [])
  expect(named.filter((name) => !OF_OPENSEA.includes(name))).toEqual([])
  expect(new Set(named).size).toBe(named.length)
  // Solana is read by accounts, and HyperCore, which OpenSea calls hyperliquid, has no contracts.
  const others = [...NOT_HERE, 'solana', 'hyperliquid']
  expect(OF_OPENSEA.filter((name) => !named.includes(name)).sort()).toEqual(others.sort())
})

test("the NFT API of Alchemy has the networks that say so, and no other network of Alchemy's", () => {
  const ofAlchemy = NETWORKS.flatMap(({ names: { alchemy }, alchemyNfts }) =>
    alchemy === null ? [] : [{ alchemy, alchemyNfts }],
  )
  expect(ofAlchemy.length).toBeGreaterThan(20)
  for (const { alchemy, alchemyNfts } of ofAlchemy)
    expect([alchemy, alchemyNfts]).toEqual([alchemy, OF_ALCHEMY.includes(alchemy)])
})

test('each network of `all` with NFTs has a source of their names and pictures', () => {
  const without = NETWORKS.filter(
    ({ inAll, kind, names, alchemyNfts }) =>
      inAll && kind === 'evm' && names.opensea === null && (names.alchemy === null || !alchemyNfts),
  )
  expect(without.map(({ id }) => id)).toEqual(['plasma-wallet'])
})
