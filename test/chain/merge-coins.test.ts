import { expect, test } from 'vitest'
import { mergeCoins } from '../../activities/chain/merge-coins.ts'

const one = (coinId: string, token: string | null, raw: bigint, decimals = 6) => ({
  coinId,
  token,
  raw,
  decimals,
})

test('contracts of one coin are one balance under the first of them, if they have the same places', () => {
  const held = [
    one('usd', '0xa', 5n),
    one('eth', null, 7n, 18),
    one('usd', '0xb', 3n),
    one('eth', '0xc', 4n, 8),
  ]
  expect(mergeCoins(held)).toEqual([one('usd', '0xa', 8n), one('eth', null, 7n, 18)])
})
