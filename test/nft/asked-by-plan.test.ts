import { expect, test } from 'vitest'
import { nftArea } from '../../activities/nft/area.ts'
import { askedBy } from '../setup/asked-by.ts'

test('NFTs are asked of the marketplace, else of Alchemy; those of Solana of its node', async () => {
  const asked = async (...on: string[]) => [
    ...new Set(
      Object.keys(await askedBy(nftArea, Object.fromEntries(on.map((name) => [name, 'free'])))).map(
        (one) => one.split(' ')[0],
      ),
    ),
  ]
  expect(await asked('opensea', 'alchemy-nft')).toEqual(['opensea'])
  expect(await asked('alchemy-nft')).toEqual(['alchemy-nft'])
  expect(await asked('solana', 'coingecko')).toEqual(['solana', 'coingecko'])
  expect(await asked()).toEqual([])
  const floors = 'coingecko floor prices of past days'
  expect(await askedBy(nftArea, { coingecko: 'full' })).toHaveProperty([floors])
  expect(await askedBy(nftArea, { coingecko: 'free' })).not.toHaveProperty([floors])
})
