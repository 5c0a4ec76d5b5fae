import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChainTransaction, ChainTransfer } from '../../activities/chain/chain-data.ts'
import { ZERO_ADDRESS } from '../../activities/chain/chain-data.ts'
import { normalise } from '../../activities/chain/normalise.ts'
import { walletTransaction } from '../../activities/chain/wallet-transaction.ts'
import type { Asset, WalletContext } from '../../activities/chain/wallet-context.ts'
import type { Leg } from '../../db/pnl/legs/leg.ts'
import { trustOf } from '../../db/values/coins.ts'
import { tradePostings } from '../../db/pnl/lots/trade-postings.ts'
import { decimal, fromRaw, toNumber } from '../../db/values/decimal.ts'

const ME = '0x00000000000000000000000000000000000000aa'
const THEM = '0x00000000000000000000000000000000000000bb'
const POOL = '0x00000000000000000000000000000000000000cc'
const [USDC, WETH, UNI, OTHER, SCAM, NFT] = ['0xa0', '0xc0', '0x1f', '0x0f', '0x5b', '0x72'] as const
const ETHER = 10n ** 18n

const asset = (coinId: string, rest: Partial<Asset> = {}): Asset => ({
  coinId,
  symbol: coinId.toUpperCase(),
  name: coinId,
  icon: null,
  decimals: 18,
  isIdentified: true,
  isStable: false,
  isSpam: false,
  ...rest,
})
const assets: Record<string, Asset> = {
  [USDC]: asset('usd-coin', { decimals: 6, isStable: true }),
  [WETH]: asset('weth'),
  [UNI]: asset('uniswap'),
  [OTHER]: asset('other'),
  [SCAM]: asset('scam', { isSpam: true, isIdentified: false }),
  [NFT]: asset('nft', { isIdentified: false, decimals: 0 }),
}
const context: WalletContext = {
  own: new Set([ME]),
  network: {
    id: 'ethereum',
    blockchain: 'ethereum',
    kind: 'evm',
    explorerUrl: 'https://scan.example',
    wrappedAddress: WETH,
  },
  assetOf: (token) => (token === null ? asset('ethereum') : assets[token]!),
}

const transaction = (rest: Partial<ChainTransaction> = {}): ChainTransaction => ({
  hash: '0x12',
  blockNumber: 7,
  blockHash: '0x70',
  atMs: Date.UTC(2026, 0, 2, 10),
  index: 3,
  from: ME,
  to: POOL,
  value: 0n,
  fee: ETHER / 1_000n,
  success: true,
  selector: null,
  ...rest,
})
const transfer = (
  token: string | null,
  move: { from: string; to: string; raw: bigint } & Partial<ChainTransfer>,
): ChainTransfer => ({
  txHash: '0x12',
  kind: token === null ? 'native' : 'erc20',
  position: 0,
  item: 0,
  token,
  tokenId: null,
  fanOut: 1,
  blockNumber: 7,
  blockHash: '0x70',
  atMs: Date.UTC(2026, 0, 2, 10),
  ...move,
})
const sent = (token: string | null, raw: bigint, rest: Partial<ChainTransfer> = {}) =>
  transfer(token, { from: ME, to: THEM, raw, ...rest })
const got = (token: string | null, raw: bigint, rest: Partial<ChainTransfer> = {}) =>
  transfer(token, { from: THEM, to: ME, raw, ...rest })

function seen(tx: ChainTransaction, transfers: ChainTransfer[]) {
  const result = normalise(context, tx, transfers)
  return (
    result && {
      type: result.type,
      label: result.label,
      identified: result.identified,
      movements: result.movements.map((one) => `${one.role} ${one.coinId} ${one.raw}`),
    }
  )
}

const FEE = `fee ethereum ${-ETHER / 1_000n}`

describe('a chain transaction for one wallet', () => {
  test('a payment from others costs no gas', () => {
    expect(seen(transaction({ from: THEM }), [got(null, 5n)])).toEqual({
      type: 'deposit',
      label: 'Received',
      identified: true,
      movements: ['transfer ethereum 5'],
    })
  })

  test('27: a swap sent and paid for by a sponsor costs no gas', () => {
    const movements = seen(transaction({ from: THEM }), [sent(USDC, 5n), got(null, 7n)])?.movements
    expect(movements).toEqual(['trade usd-coin -5', 'trade ethereum 7'])
  })

  test('a sent payment moves the amount and the gas', () => {
    expect(seen(transaction(), [sent(USDC, 5n)])).toMatchObject({
      type: 'withdraw',
      label: 'Sent',
      movements: ['transfer usd-coin -5', FEE],
    })
  })

  test('a transfer to itself moves only the gas', () => {
    expect(seen(transaction(), [transfer(USDC, { from: ME, to: ME, raw: 9n })])).toMatchObject({
      type: 'fee',
      movements: [FEE],
    })
  })

  test('a failed transaction moves only the gas', () => {
    expect(seen(transaction({ success: false }), [sent(null, 5n)])).toMatchObject({
      type: 'fee',
      label: 'Sent',
      movements: [FEE],
    })
    expect(seen(transaction({ success: false, from: THEM, to: ME }), [])).toBeNull()
  })

  test('an approval moves the gas but not the allowance', () => {
    const approval = transfer(USDC, { kind: 'approval', from: ME, to: POOL, raw: 2n ** 256n - 1n })
    expect(seen(transaction(), [approval])).toEqual({
      type: 'approve',
      label: 'Sent',
      identified: true,
      movements: [FEE],
    })
  })

  test.each([
    ['Buy', sent(USDC, 5n), got(UNI, 7n)],
    ['Sell', sent(UNI, 7n), got(USDC, 5n)],
    ['Swap', sent(UNI, 7n), got(null, 5n)],
  ])('both legs of a swap (%s) are trades', (label, out, into) => {
    const result = seen(transaction(), [out, into])
    expect(result).toMatchObject({ type: 'executed', label })
    expect(result!.movements.map((one) => one.split(' ')[0])).toEqual(['trade', 'trade', 'fee'])
  })

  test('a swap with a refund counts its net amounts', () => {
    const refund = got(null, 20n, { kind: 'internal', from: POOL })
    expect(seen(transaction(), [sent(null, 100n), refund, got(UNI, 7n)])!.movements).toEqual([
      'trade ethereum -80',
      'trade uniswap 7',
      FEE,
    ])
  })

  test('wrapping carries the cost basis and sells nothing', () => {
    const deposit = transfer(WETH, { kind: 'wrap', from: ZERO_ADDRESS, to: ME, raw: 100n })
    const wrapped = ['wrap ethereum -100', 'wrap weth 100', FEE]
    expect(seen(transaction(), [sent(null, 100n), deposit])!.movements).toEqual(wrapped)
    // This contract emits both events for one deposit.
    const minted = transfer(WETH, { from: ZERO_ADDRESS, to: ME, raw: 100n, position: 1 })
    expect(seen(transaction(), [sent(null, 100n), deposit, minted])!.movements).toEqual(wrapped)
  })

  test('a wrap with a fee is a wrap and a fee', () => {
    const deposit = (raw: bigint) => transfer(WETH, { kind: 'wrap', from: ZERO_ADDRESS, to: ME, raw })
    expect(seen(transaction(), [sent(null, 100n), deposit(98n)])).toMatchObject({
      type: 'executed',
      label: 'Swap',
      movements: ['wrap ethereum -98', 'fee ethereum -2', 'wrap weth 98', FEE],
    })
    const unwrap = [sent(WETH, 100n), got(null, 97n)]
    expect(seen(transaction(), unwrap)!.movements).toEqual([
      'wrap weth -97',
      'fee weth -3',
      'wrap ethereum 97',
      FEE,
    ])
  })

  test('what is sent or swapped beside a wrap is sent or swapped', () => {
    const deposit = transfer(WETH, { kind: 'wrap', from: ZERO_ADDRESS, to: ME, raw: 40n })
    expect(seen(transaction(), [sent(null, 100n), deposit])).toMatchObject({
      label: 'Sent',
      movements: ['wrap ethereum -40', 'transfer ethereum -60', 'wrap weth 40', FEE],
    })
    expect(seen(transaction(), [sent(null, 100n), deposit, got(USDC, 5n)])).toMatchObject({
      label: 'Sell',
      movements: ['wrap ethereum -40', 'trade ethereum -60', 'wrap weth 40', 'trade usd-coin 5', FEE],
    })
  })

  test('an identified coin sent to many receivers is an airdrop; a stablecoin is a payment', () => {
    const sender = transaction({ from: THEM })
    expect(seen(sender, [got(UNI, 7n, { fanOut: 200 })])!.movements).toEqual(['airdrop uniswap 7'])
    expect(seen(sender, [got(USDC, 7n, { fanOut: 200 })])!.movements).toEqual(['transfer usd-coin 7'])
    expect(seen(transaction(), [got(UNI, 7n, { fanOut: 200 })])!.movements).toEqual([
      'transfer uniswap 7',
      FEE,
    ])
  })

  test('spam has its own role and makes the transaction unidentified', () => {
    expect(seen(transaction({ from: THEM }), [got(SCAM, 7n)])).toEqual({
      type: 'deposit',
      label: 'Received',
      identified: false,
      movements: ['spam scam 7'],
    })
  })

  test('a zero-value transfer sent by others moves nothing', () => {
    expect(seen(transaction({ from: THEM }), [sent(USDC, 0n)])).toEqual({
      type: 'withdraw',
      label: 'Sent',
      identified: false,
      movements: [],
    })
  })
})

describe('the served form', () => {
  const served = (tx: ChainTransaction, transfers: ChainTransfer[], prices: (string | null)[]) => {
    const row = walletTransaction(context, normalise(context, tx, transfers)!, (seq) => {
      const price = prices[seq]
      return price === null || price === undefined ? null : decimal(price)
    })
    return { ...row, fragment: JSON.parse(row.fragment) }
  }

  const copies = (tokenId: bigint, raw: bigint, item = 0) => got(NFT, raw, { kind: 'erc1155', tokenId, item })
  const itemsOf = (row: ReturnType<typeof served>) =>
    row.fragment.transactions.flatMap((group: any) =>
      group.items.map(({ count, nft, coin }: any) => [group.action, count, nft?.id ?? coin.id]),
    )

  test('amounts of ERC-1155 are summed by token: items of a batch, one token twice in it, copies that went back', () => {
    const back = sent(NFT, 1n, { kind: 'erc1155', tokenId: 4n, position: 1 })
    const given = sent(NFT, 6n, { kind: 'erc1155', tokenId: 9n, position: 2 })
    const moved = [copies(4n, 5n), copies(4n, 3n, 1), copies(5n, 2n, 2), copies(6n, 1n), back, given]
    const all = [...moved, sent(NFT, 1n, { kind: 'erc1155', tokenId: 6n, position: 3 })]
    expect(itemsOf(served(transaction(), all, []))).toEqual([
      ['Received', 7, '0x72-4'],
      ['Received', 2, '0x72-5'],
      ['Sent', -6, '0x72-9'],
    ])
    expect(seen(transaction(), [sent(null, 100n), copies(4n, 5n)])).toMatchObject({
      label: 'Buy',
      movements: ['trade ethereum -100', 'trade 0x72-4_ethereum 5', FEE],
    })
  })

  test('amounts of 256 bits are summed exactly, and none of a token is told as a token and not as a coin', () => {
    const most = 2n ** 256n - 1n
    const { lines } = normalise(context, transaction(), [
      copies(most, most),
      sent(NFT, most - 1n, { kind: 'erc1155', tokenId: most, position: 1 }),
    ])!
    expect(lines).toMatchObject([{ raw: 1n, decimals: 0, nft: { id: String(most), token: NFT } }])
    const none = served(transaction({ from: THEM }), [copies(4n, 0n)], [])
    expect([none.type, itemsOf(none), none.coinIds]).toEqual(['deposit', [['Received', 0, '0x72-4']], []])
  })

  test('both sides of a sale have the value of the stablecoin', () => {
    const row = served(transaction(), [sent(UNI, 2n * ETHER), got(USDC, 19_000_000n)], ['10', '1', '2000'])
    expect(row.fragment).toEqual({
      type: 'Sell',
      date: '2026-01-02T10:00:00.000Z',
      mainContent: { coinIcons: [], coinAssets: [] },
      transactions: [
        {
          action: 'Sent',
          items: [
            {
              id: '0x12-0',
              count: -2,
              totalWorth: 19,
              toAddress: THEM,
              coin: { id: 'uniswap', name: 'uniswap', symbol: 'UNISWAP', icon: '' },
            },
          ],
        },
        {
          action: 'Received',
          items: [
            {
              id: '0x12-1',
              count: 19,
              totalWorth: 19,
              fromAddress: THEM,
              coin: { id: 'usd-coin', name: 'usd-coin', symbol: 'USD-COIN', icon: '' },
            },
          ],
        },
      ],
      fee: {
        coin: { id: 'ethereum', name: 'ethereum', symbol: 'ETHEREUM', icon: '' },
        count: 0.001,
        totalWorth: 2,
      },
      hash: { id: '0x12', explorerUrl: 'https://scan.example/tx/0x12' },
    })
    expect(row.main).toMatchObject({ coinId: 'uniswap', valueUsd: { coefficient: 19_000_000n, scale: 6 } })
    expect(row.coinIds).toEqual(['uniswap', 'usd-coin'])
  })

  test('an unpriced leg takes the value of the other side; alone it has none', () => {
    const swap = served(transaction(), [sent(UNI, ETHER), got(null, ETHER)], [null, '2000', '2000'])
    expect(swap.fragment.transactions[0].items[0].totalWorth).toBe(2_000)
    const receipt = served(transaction({ from: THEM }), [got(UNI, ETHER)], [null])
    expect(receipt.fragment.transactions[0].items[0].totalWorth).toBe(0)
    expect(receipt.main!.valueUsd).toBeNull()
  })

  test('the row of a sent token headlines the token, whatever rent moves beside it', () => {
    const token = sent(USDC, 314_000_000n, { position: 1 })
    const rentOfReceiver = sent(null, 2_039_280n)
    const paid = served(transaction(), [rentOfReceiver, token], ['150', '1', '150'])
    expect(paid.fragment.type).toBe('Sent')
    expect(paid.main).toMatchObject({ coinId: 'usd-coin', valueUsd: { coefficient: 314_000_000n, scale: 6 } })
    const ownRent = got(null, 2_039_280n, { kind: 'rent' })
    const closed = served(transaction(), [token, ownRent], ['1', '150', '150'])
    expect([closed.fragment.type, closed.main!.coinId]).toEqual(['Sent', 'usd-coin'])
  })

  test('a wrap with a fee shows the gas as its fee', () => {
    const deposit = transfer(WETH, { kind: 'wrap', from: ZERO_ADDRESS, to: ME, raw: ETHER })
    const row = served(transaction(), [sent(null, (ETHER * 101n) / 100n), deposit], Array(4).fill('2000'))
    expect(row.fragment.fee).toMatchObject({ count: 0.001, totalWorth: 2 })
    expect(row.main).toMatchObject({ coinId: 'weth' })
    const items = row.fragment.transactions.flatMap((one: { items: { count: number }[] }) => one.items)
    expect(items.map(({ count }: { count: number }) => count)).toEqual([-1, -0.01, 1])
  })

  test('a swap has the value that it has in P&L', () => {
    const price = fc.integer({ min: 1, max: 1_000_000 }).map((cents) => String(cents / 100))
    const tokens = fc.constantFrom(null, USDC, UNI, OTHER)
    const swap = fc.record({ given: tokens, received: tokens, prices: fc.tuple(price, price) })
    fc.assert(
      fc.property(swap, ({ given, received, prices }) => {
        fc.pre(given !== received)
        const { fragment } = served(
          transaction({ from: THEM }),
          [sent(given, ETHER), got(received, ETHER)],
          [...prices],
        )
        const legs = [given, received].map((token, i) => ({
          role: 'trade' as const,
          coinId: context.assetOf(token).coinId,
          quantity: fromRaw(i === 0 ? -ETHER : ETHER, context.assetOf(token).decimals),
          priceUsd: decimal(prices[i]!),
        })) as Leg[]
        const { postings } = tradePostings(legs, [], {
          isStable: (coinId) => coinId === 'usd-coin',
          trust: trustOf,
          isInternal: () => false,
          feeOf: () => decimal('0'),
        })
        const worths = fragment.transactions.map(
          (one: { items: { totalWorth: number }[] }) => one.items[0]!.totalWorth,
        )
        const values = postings.map((one) => ('marketUsd' in one ? toNumber(one.marketUsd!) : null))
        expect(worths).toEqual(values)
      }),
    )
  })

  test('Y17 counts 2^256-1 base units exactly until they become JSON', () => {
    const row = served(transaction({ from: THEM }), [got(UNI, 2n ** 256n - 1n)], ['0.00001234'])
    expect(row.main!.count).toEqual({ coefficient: 2n ** 256n - 1n, scale: 18 })
  })

  test('removes control characters from a symbol, because they separate rows in pages', () => {
    const odd = asset('odd', { symbol: 'O\u001eD\u001fD\u0085"' })
    const receipt = normalise(context, transaction({ from: THEM }), [got(UNI, ETHER)])!
    const row = walletTransaction({ ...context, assetOf: () => odd }, receipt, () => null)
    expect(row.main!.symbol).toBe('ODD"')
  })
})

describe('operations of a smart account', () => {
  const ENTRY_POINT = '0x00000000000000000000000000000000000000ee'
  const bundled = transaction({ from: THEM, to: ENTRY_POINT, selector: '0x765e827f' })
  const operation = (raw: bigint, position: number) =>
    transfer(null, { kind: 'operation', position, from: ME, to: ENTRY_POINT, raw })
  const prefund = (raw: bigint) => transfer(null, { kind: 'internal', from: ME, to: ENTRY_POINT, raw })
  const rows = (found: ReturnType<typeof normalise>) =>
    found!.movements.map(({ role, raw, coinId }) => `${role} ${raw} ${coinId}`)

  test('cost what they used; the rest that was sent is locked and no part of a trade', () => {
    const claim = normalise(context, bundled, [
      prefund(25n),
      got(UNI, 7n),
      operation(6n, 4),
      operation(4n, 9),
    ])!
    expect([claim.type, claim.label]).toEqual(['deposit', 'Received'])
    expect(rows(claim)).toEqual(['transfer 7 uniswap', 'transfer -15 ethereum', 'fee -10 ethereum'])
  })

  test('cost no more than was sent when a part comes from what is locked', () => {
    const found = normalise(context, bundled, [prefund(3n), sent(UNI, 7n), operation(10n, 4)])
    expect(rows(found)).toEqual(['transfer -7 uniswap', 'fee -3 ethereum'])
  })

  test('of others cost a wallet nothing', () => {
    const theirs = transfer(null, { kind: 'operation', from: THEM, to: ENTRY_POINT, raw: 10n })
    expect(rows(normalise(context, bundled, [got(UNI, 7n), theirs]))).toEqual(['transfer 7 uniswap'])
  })
})
