import { expect, test } from 'vitest'
import { NOBODY } from '../../activities/chain/chain-data.ts'
import type { ChainTransaction, ChainTransfer, TransferKind } from '../../activities/chain/chain-data.ts'
import { normalise } from '../../activities/chain/normalise.ts'
import { walletTransaction } from '../../activities/chain/wallet-transaction.ts'
import type { WalletContext } from '../../activities/chain/wallet-context.ts'
import { decimal } from '../../db/values/decimal.ts'

// What of a transaction is the wallet's, and what another party's.

const [ME, THEM, OTHER, POOL] = ['me', 'them', 'other', 'pool'] as const

/** 'usd' is stable; nobody lists 'new'. */
const context: WalletContext = {
  own: new Set([ME]),
  network: { id: 'n', blockchain: 'n', kind: 'evm', explorerUrl: '', wrappedAddress: null },
  assetOf: (token) => ({
    coinId: token ?? 'native',
    symbol: '',
    name: token ?? 'native',
    icon: null,
    decimals: 0,
    isIdentified: token !== 'new',
    isStable: token === 'usd',
    isSpam: false,
  }),
}
const transaction = (rest: Partial<ChainTransaction> = {}): ChainTransaction => ({
  hash: '0x1',
  blockNumber: 7,
  blockHash: '0x7',
  atMs: 0,
  index: 0,
  from: THEM,
  to: POOL,
  value: 0n,
  fee: 0n,
  success: true,
  selector: null,
  ...rest,
})
const move = (
  kind: TransferKind,
  token: string | null,
  [from, to, raw]: [string, string, bigint],
  rest: Partial<ChainTransfer> = {},
): ChainTransfer => ({
  txHash: '0x1',
  kind,
  position: 0,
  item: 0,
  token,
  tokenId: null,
  from,
  to,
  raw,
  fanOut: 1,
  blockNumber: 7,
  blockHash: '0x7',
  atMs: 0,
  ...rest,
})
const erc20 = (token: string, ...moved: [string, string, bigint]) => move('erc20', token, moved)
const nft = (id: bigint, ...moved: [string, string, bigint]) => move('erc721', 'art', moved, { tokenId: id })

const found = (tx: Partial<ChainTransaction>, ...transfers: ChainTransfer[]) =>
  normalise(context, transaction(tx), transfers)
const movements = (of: ReturnType<typeof normalise>) =>
  of!.movements.map(({ role, coinId, raw }) => `${role} ${coinId} ${raw}`)

test('the wallet pays its part of the fee of several inputs, which its coins do not lose twice', () => {
  const spent = [
    move('input', null, [ME, NOBODY, 60n]),
    move('input', null, [THEM, NOBODY, 40n]),
    move('output', null, [NOBODY, OTHER, 45n]),
    move('output', null, [NOBODY, ME, 7n]),
    move('issued', 'gem', [ME, NOBODY, 5n]),
    move('rent', null, [ME, NOBODY, 2n]),
  ]
  expect(movements(found({ from: ME, value: 100n, fee: 50n }, ...spent))).toEqual([
    'transfer native -23',
    'transfer gem -5',
    'transfer native -2',
    'fee native -30',
  ])
  // A source that does not state the sum of the inputs.
  expect(movements(found({ from: ME, value: 0n, fee: 50n }, ...spent.slice(0, 4)))).toEqual([
    'transfer native -53',
  ])
})

test('fees that are transfers are paid by who sent them, in the coin of each', () => {
  const fee = (token: string | null, from: string, raw: bigint) => move('fee', token, [from, NOBODY, raw])
  const paid = found(
    {},
    erc20('gem', THEM, ME, 9n),
    fee(null, ME, 3n),
    fee('usd', ME, 2n),
    fee(null, THEM, 7n),
  )
  expect(movements(paid)).toEqual(['transfer gem 9', 'fee native -3', 'fee usd -2'])
  expect(paid!.feeToken).toBe('usd')
  expect(movements(found({}, fee(null, ME, 3n)))).toEqual(['fee native -3'])
  expect(found({}, fee(null, THEM, 3n))).toBeNull()
})

test('what comes to many at once is no gift to who asked for it, also if that cost nothing', () => {
  const gift = move('erc20', 'gem', [THEM, ME, 9n], { fanOut: 200 })
  expect(movements(found({}, gift))).toEqual(['airdrop gem 9'])
  expect(movements(found({ from: ME }, gift))).toEqual(['transfer gem 9'])
  const sponsored = move('operation', null, [ME, POOL, 0n])
  expect(movements(found({}, gift, sponsored))).toEqual(['transfer gem 9'])
  // One of two transfers of the coin is enough.
  expect(movements(found({}, erc20('gem', THEM, ME, 1n), gift))).toEqual(['airdrop gem 10'])
})

test.each<[label: string, transfers: ChainTransfer[]]>([
  ['Buy', [erc20('usd', ME, POOL, 5n), erc20('gem', POOL, ME, 5n)]],
  ['Swap', [erc20('usd', ME, POOL, 5n), erc20('pearl', ME, POOL, 5n), erc20('gem', POOL, ME, 5n)]],
  ['Swap', [erc20('gem', ME, POOL, 5n), erc20('usd', POOL, ME, 5n), erc20('pearl', POOL, ME, 5n)]],
  ['Swap', [nft(1n, ME, POOL, 1n), nft(2n, POOL, ME, 1n)]],
  ['Swap', [nft(2n, POOL, ME, 1n), nft(1n, ME, POOL, 1n)]],
])('a trade is a %s by all that is given and got', (label, transfers) => {
  expect(found({ from: ME }, ...transfers)).toMatchObject({ type: 'executed', label })
})

test('a coin of no list is not identified, neither as received nor as approved', () => {
  expect(found({}, erc20('new', THEM, ME, 1n))!.identified).toBe(false)
  expect(found({}, erc20('gem', THEM, ME, 1n))!.identified).toBe(true)
  const approved = (token: string) => found({ from: ME }, move('approval', token, [ME, POOL, 1n]))!
  expect([approved('new').type, approved('new').identified]).toEqual(['approve', false])
  expect(approved('gem').identified).toBe(true)
})

test('what comes and goes back in one transaction of others is nothing', () => {
  expect(found({}, erc20('gem', THEM, ME, 5n), erc20('gem', ME, THEM, 5n))).toBeNull()
  expect(found({}, erc20('gem', ME, ME, 0n))).toBeNull()
  expect(found({}, erc20('gem', ME, THEM, 0n))).toMatchObject({ type: 'withdraw', movements: [] })
})

test.each<[what: string, party: string, transfers: ChainTransfer[]]>([
  [
    'the larger payer',
    POOL,
    [erc20('gem', THEM, ME, 3n), erc20('gem', POOL, ME, 5n), erc20('gem', OTHER, ME, 1n)],
  ],
  ['no other receiver', THEM, [erc20('gem', THEM, ME, 3n), erc20('gem', OTHER, POOL, 50n)]],
  ['not the wallet itself', THEM, [erc20('gem', ME, ME, 50n), erc20('gem', ME, THEM, 3n)]],
  [
    'the receiver of what is sent',
    OTHER,
    [erc20('gem', ME, THEM, 3n), erc20('gem', ME, OTHER, 4n), erc20('gem', POOL, ME, 5n)],
  ],
  [
    'the one who spent, of coins that come out of nowhere',
    THEM,
    [
      move('output', null, [NOBODY, ME, 50n]),
      move('input', null, [THEM, NOBODY, 60n]),
      move('output', null, [NOBODY, OTHER, 9n]),
    ],
  ],
  [
    'the one who got most, of coins that go nowhere',
    OTHER,
    [
      move('input', null, [ME, NOBODY, 50n]),
      move('output', null, [NOBODY, OTHER, 30n]),
      move('output', null, [NOBODY, ME, 10n]),
      move('output', null, [NOBODY, THEM, 9n]),
    ],
  ],
])('the counterparty is %s', (_what, party, transfers) => {
  expect(found({}, ...transfers)!.movements[0]!.counterparty).toBe(party)
})

/** The worths in USD of what a trade of twelve dollars gave and got, at these prices. */
function worths(prices: Readonly<Record<string, string>>, ...got: ChainTransfer[]) {
  const trade = found({ from: ME }, erc20('usd', ME, POOL, 12n), ...got)!
  const { fragment } = walletTransaction(context, trade, (seq) => {
    const price = prices[trade.movements[seq]!.coinId]
    return price === undefined ? null : decimal(price)
  })
  const { transactions } = JSON.parse(fragment) as { transactions: { items: { totalWorth: number }[] }[] }
  return transactions.flatMap(({ items }) => items.map(({ totalWorth }) => totalWorth))
}

test('of several coins that were got, each has its part of what was given, and one without a price none', () => {
  const [gem, pearl] = [erc20('gem', POOL, ME, 4n), erc20('pearl', POOL, ME, 2n)]
  expect(worths({ usd: '1', gem: '2', pearl: '8' }, gem, pearl)).toEqual([12, 4, 8])
  expect(worths({ usd: '1', gem: '2' }, gem, pearl)).toEqual([12, 12, 0])
  // One that has no price says nothing of what was given for both.
  expect(worths({ gem: '2', pearl: '8' }, gem, pearl)).toEqual([24, 8, 16])
  expect(worths({ gem: '2' }, gem, pearl)).toEqual([0, 0, 0])
  // Nothing says which is worth how much.
  expect(worths({ usd: '1', gem: '0', pearl: '0' }, gem, pearl)).toEqual([12, 0, 0])
})

test('what counts for nothing is worth nothing, whatever its price', () => {
  const gift = found({ from: THEM }, erc20('gem', POOL, ME, 4n))!
  const worthAs = (role: 'transfer' | 'spam') => {
    const movements = gift.movements.map((one) => ({ ...one, role }))
    const { fragment, main } = walletTransaction(context, { ...gift, movements }, () => decimal('2'))
    const { transactions } = JSON.parse(fragment) as { transactions: { items: { totalWorth: number }[] }[] }
    return [transactions[0]!.items[0]!.totalWorth, main?.valueUsd ?? null]
  }
  expect(worthAs('transfer')).toEqual([8, decimal('8')])
  expect(worthAs('spam')).toEqual([0, null])
})

test('copies of NFTs share what was given, but not with a coin beside them', () => {
  const many = nft(1n, POOL, ME, 3n)
  expect(worths({ usd: '1' }, many, nft(2n, POOL, ME, 1n))).toEqual([12, 9, 3])
  expect(worths({ usd: '1', gem: '2' }, many, erc20('gem', POOL, ME, 4n))).toEqual([12, 12, 0])
})
