import { expect, test } from 'vitest'
import type { Leg } from '../../db/pnl/legs/leg.ts'
import type { Role } from '../../db/pnl/legs/roles.ts'
import { netSwapLegs, valueUnpriced } from '../../db/pnl/legs/value-unpriced.ts'
import { nftCoinId } from '../../db/values/coins.ts'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'

const text = formatDecimal
const nft = (tokenId: bigint) =>
  nftCoinId({ contract: `0x${'c'.repeat(40)}`, tokenId, blockchain: 'ethereum' })

const leg = (role: Role, coinId: string, quantity: string, price: string | null = null): Leg => ({
  account: 'A',
  txId: 'tx',
  seq: 1,
  atMs: 0,
  role,
  coinId,
  quantity: decimal(quantity),
  priceUsd: price === null ? null : decimal(price),
  ...(price === null && { isUnpriced: true }),
})

/** What is held: quantity, and the quantity and the cost of what was paid for. */
function holdingsOf(held: Record<string, [held: string, known: string, usd: string]>) {
  const all = Object.entries(held)
  return {
    balances: new Map(all.map(([coinId, [quantity]]) => [coinId, decimal(quantity)])),
    paid: new Map(
      all.map(([coinId, [, known, usd]]) => [coinId, { quantity: decimal(known), usd: decimal(usd) }]),
    ),
  }
}

const shown = (legs: readonly Leg[]) =>
  legs.map(({ role, coinId, quantity, worthUsd, isHeld }) =>
    [role, text(quantity), coinId, worthUsd ? text(worthUsd) : 'unknown', ...(isHeld ? ['held'] : [])].join(
      ' ',
    ),
  )

test('a swap gets its value also beside a transaction whose coins all have prices', () => {
  const instant = [
    [leg('transfer', 'ETH', '1', '2000')],
    [leg('trade', 'ETH', '-1', '2000'), leg('trade', 'TKN', '5')],
  ]
  const [plain, swap] = valueUnpriced(instant, holdingsOf({}))
  expect(shown(plain!)).toEqual(['transfer 1 ETH unknown'])
  expect(shown(swap!)).toEqual(['trade -1 ETH unknown', 'trade 5 TKN 2000'])
})

test('units of unknown cost that are sold come in at their value, and are held already', () => {
  const instant = [[leg('trade', 'TKN', '-4'), leg('trade', 'ETH', '1', '2000')]]
  const [swap] = valueUnpriced(instant, holdingsOf({ TKN: ['4', '1', '100'] }))
  expect(shown(swap!)).toEqual(['opening 3 TKN 1500 held', 'trade -4 TKN -2000', 'trade 1 ETH unknown'])
})

test.each<[string, Leg[], string[]]>([
  [
    'NFT is worth the cost of what is given for it',
    [leg('trade', 'TKN', '-2'), leg('trade', nft(1n), '1')],
    ['trade -2 TKN -20', `trade 1 ${nft(1n)} 20`],
  ],
  [
    'NFT is worth nothing known if a part of what is given has an unknown cost',
    [leg('trade', 'TKN', '-2'), leg('trade', 'OTHER', '-4'), leg('trade', nft(1n), '1')],
    ['trade -2 TKN -20', 'trade -3 OTHER -30', 'trade -1 OTHER unknown', `trade 1 ${nft(1n)} unknown`],
  ],
  [
    'coin is worth nothing known, even if what is given is',
    [leg('trade', 'TKN', '-2'), leg('trade', 'NEW', '1')],
    ['trade -2 TKN -20', 'trade 1 NEW unknown'],
  ],
])('without a price in a swap, an %s', (_, legs, expected) => {
  const [swap] = valueUnpriced([legs], holdingsOf({ TKN: ['2', '2', '20'], OTHER: ['4', '3', '30'] }))
  expect(shown(swap!)).toEqual(expected)
})

test('a coin that a swap moves in and out is one leg, of the same role, book and state', () => {
  const route = [
    leg('trade', 'A', '-1'),
    leg('trade', 'B', '3'),
    leg('trade', 'B', '-3'),
    leg('wrap', 'A', '5'),
    { ...leg('trade', 'A', '7'), account: 'other' },
    { ...leg('trade', 'A', '9'), paidUsd: decimal('1') },
    leg('trade', 'A', '-2'),
    leg('transfer', 'A', '4'),
    leg('transfer', 'A', '-4'),
    { ...leg('trade', 'A', '-8'), paidUsd: decimal('1') },
  ]
  expect(
    netSwapLegs(route).map(({ role, account, quantity }) => `${role} ${account} ${text(quantity)}`),
  ).toEqual([
    'trade A -3',
    'wrap A 5',
    'trade other 7',
    'trade A 9',
    'transfer A 4',
    'transfer A -4',
    'trade A -8',
  ])
  // One that was valued first is joined by none.
  const valued = [{ ...leg('trade', 'A', '9'), paidUsd: decimal('1') }, leg('trade', 'A', '-2')]
  expect(netSwapLegs(valued)).toEqual(valued)
})
