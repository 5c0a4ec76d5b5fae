import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChainTransaction, ChainTransfer } from '../../activities/chain/chain-data.ts'
import { ZERO_ADDRESS } from '../../activities/chain/chain-data.ts'
import { normalise } from '../../activities/chain/normalise.ts'
import { createRpcSource } from '../../activities/chain/sources/rpc.ts'
import { walletTransaction } from '../../activities/chain/wallet-transaction.ts'
import type { Asset, WalletContext } from '../../activities/chain/wallet-context.ts'
import { decimal } from '../../db/values/decimal.ts'
import { realdata } from '../setup/realdata.ts'
import { replayBlocks } from '../setup/replay-rpc.ts'
import { oneNode } from './one-node.ts'

/** What a wallet's trades of NFTs are to profit and loss. */

const [ME, THEM] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]
const [WETH, PUNKS, CARDS, SCAM, LIQUIDITY] = ['0xc0', '0x72', '0x73', '0x5b', '0x1d'] as const
const names: Record<string, string> = {
  [WETH]: 'weth',
  [SCAM]: 'claim at scam.example',
  [LIQUIDITY]: 'Uniswap V3 Positions NFT-V1',
}

const contextOf = (own: string): WalletContext => ({
  own: new Set([own]),
  network: {
    id: 'base-wallet',
    blockchain: 'base',
    kind: 'evm',
    explorerUrl: 'https://scan.example',
    wrappedAddress: null,
  },
  assetOf: (token): Asset => ({
    coinId: token === null ? 'ethereum' : (names[token] ?? token),
    symbol: 'X',
    name: names[token ?? ''] ?? 'Punks',
    icon: null,
    decimals: 0,
    isIdentified: token === null,
    isStable: false,
    isSpam: token === SCAM,
  }),
})

const transaction = (from = ME): ChainTransaction => ({
  hash: '0x12',
  blockNumber: 7,
  blockHash: '0x70',
  atMs: Date.UTC(2026, 0, 2),
  index: 3,
  from,
  to: THEM,
  value: 0n,
  fee: 1n,
  success: true,
  selector: null,
})

const moved = (move: Partial<ChainTransfer> & Pick<ChainTransfer, 'raw'>, isIn: boolean): ChainTransfer => ({
  txHash: '0x12',
  kind: 'native',
  position: 0,
  item: 0,
  token: null,
  tokenId: null,
  fanOut: 1,
  blockNumber: 7,
  blockHash: '0x70',
  atMs: Date.UTC(2026, 0, 2),
  from: isIn ? THEM : ME,
  to: isIn ? ME : THEM,
  ...move,
})
const coin = (raw: number, token: string | null = null): ChainTransfer =>
  moved({ raw: BigInt(Math.abs(raw)), token, kind: token ? 'erc20' : 'native' }, raw > 0)
const nft = (token: string, tokenId: bigint, count = 1, more: Partial<ChainTransfer> = {}): ChainTransfer =>
  moved({ raw: BigInt(Math.abs(count)), token, tokenId, kind: 'erc1155', ...more }, count > 0)

/** Role, coin and amount of each movement, without the fee of the network. */
function roles(own: string, tx: ChainTransaction, transfers: readonly ChainTransfer[]): string[] {
  return normalise(contextOf(own), tx, transfers)!
    .movements.filter(({ role }) => role !== 'fee')
    .map(({ role, coinId, raw }) => `${role} ${coinId} ${raw}`)
}
const seen = (...transfers: ChainTransfer[]) => roles(ME, transaction(), transfers)
const unasked = (...transfers: ChainTransfer[]) => roles(ME, transaction(THEM), transfers)

test('a purchase and a sale are trades of the coin and the NFT, whoever sends the transaction', () => {
  expect(seen(coin(-2_000), nft(PUNKS, 4n))).toEqual(['trade ethereum -2000', 'trade 0x72-4_base 1'])
  expect(seen(coin(-2_000, WETH), nft(PUNKS, 4n))).toEqual(['trade weth -2000', 'trade 0x72-4_base 1'])
  expect(unasked(coin(3_300), nft(PUNKS, 4n, -1))).toEqual(['trade ethereum 3300', 'trade 0x72-4_base -1'])
})

test('copies, several NFTs and NFTs for NFTs are one trade', () => {
  expect(seen(coin(-9), nft(CARDS, 1n, 3), nft(PUNKS, 2n))).toEqual([
    'trade ethereum -9',
    'trade 0x73-1_base 3',
    'trade 0x72-2_base 1',
  ])
  expect(seen(nft(PUNKS, 1n, -1), nft(PUNKS, 2n))).toEqual(['trade 0x72-1_base -1', 'trade 0x72-2_base 1'])
})

test('NFTs that are sent or received alone are transfers', () => {
  expect(seen(nft(PUNKS, 4n, -1))).toEqual(['transfer 0x72-4_base -1'])
  expect(seen(nft(PUNKS, 4n))).toEqual(['transfer 0x72-4_base 1'])
  expect(unasked(nft(PUNKS, 4n))).toEqual(['transfer 0x72-4_base 1'])
})

test('an NFT that the wallet mints for gas alone has no cost; one that others mint to it has an unknown one', () => {
  const minted = nft(PUNKS, 4n, 1, { from: ZERO_ADDRESS })
  expect(seen(minted)).toEqual(['airdrop 0x72-4_base 1'])
  expect(unasked(minted)).toEqual(['transfer 0x72-4_base 1'])
  expect(seen(coin(-5), minted)).toEqual(['trade ethereum -5', 'trade 0x72-4_base 1'])
})

test('spam is no movement, and changes nothing of what moves beside it', () => {
  expect(unasked(nft(SCAM, 4n))).toEqual([])
  expect(seen(coin(-5), coin(7, WETH), nft(SCAM, 4n))).toEqual(['trade ethereum -5', 'trade weth 7'])
  expect(seen(coin(-5), nft(SCAM, 4n))).toEqual(['transfer ethereum -5'])
})

test('a position of DeFi is no NFT: what goes in and comes out is a flow', () => {
  expect(seen(coin(-5), coin(-7, WETH), nft(LIQUIDITY, 4n))).toEqual([
    'transfer ethereum -5',
    'transfer weth -7',
  ])
  expect(seen(coin(5), coin(7, WETH), nft(LIQUIDITY, 4n, -1))).toEqual([
    'transfer ethereum 5',
    'transfer weth 7',
  ])
})

test('the response has the price on both sides, equally for each copy, and no coin for the NFT', () => {
  const transfers = [coin(-8), nft(CARDS, 1n, 3), nft(PUNKS, 2n)]
  const normalised = normalise(contextOf(ME), transaction(), transfers)!
  const row = walletTransaction(contextOf(ME), normalised, (seq) => (seq === 0 ? decimal('250') : null))
  const { transactions } = JSON.parse(row.fragment)
  expect(transactions.flatMap(({ items }: any) => items)).toMatchObject([
    { coin: { id: 'ethereum' }, totalWorth: 2_000 },
    { nft: { id: '0x73-1' }, count: 3, totalWorth: 1_500 },
    { nft: { id: '0x72-2' }, count: 1, totalWorth: 500 },
  ])
  expect([row.coinIds, row.main?.coinId]).toEqual([['ethereum'], 'ethereum'])
})

test("Uniswap's contracts call their NFTs positions", () => {
  const { resolve } = createRequire(import.meta.url)
  const v3 = readFileSync(
    resolve(
      '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
    ),
    'utf8',
  )
  const v4 = readFileSync(resolve('@uniswap/v4-periphery/src/PositionManager.sol'), 'utf8')
  expect(Buffer.from(JSON.parse(v3).bytecode.slice(2), 'hex').toString('latin1')).toContain(names[LIQUIDITY]!)
  expect(v4).toContain('"Uniswap v4 Positions NFT"')
})

const FOLDER = join(realdata ?? '', 'ethereum-etl/tests/resources/test_stream/blocks_17173049_17173050')

describe.skipIf(!realdata)('recorded trades of mainnet', () => {
  let server: Awaited<ReturnType<typeof replayBlocks>>
  beforeAll(async () => {
    server = await replayBlocks(FOLDER)
  })
  afterAll(() => server.stop())

  test.each([
    {
      what: 'bought on Seaport for 0.37 ETH',
      own: '0x31c0b8dbacaf08da902e3117c346afc0128d2ed7',
      movements: [
        'trade ethereum -370000000000000000',
        'trade 0x4e3f914246f55fc4f55ee2882bf70c72a8f427cf-733_base 1',
      ],
    },
    {
      what: "bought by a bid in Blur's pool of ETH, in a transaction that the seller sent",
      own: '0x63e0605491bda6e4c1c37cf818a45b836faf46ee',
      movements: [
        'trade 0x0000000000a39bb272e79075ade125fd351887ac -16300000000000000000',
        'trade 0xed5af388653567af2f388e6224dc7c4b3241c544-1527_base 1',
      ],
    },
    {
      what: 'five minted for 0.01 ETH together',
      own: '0x3813ba8de772451b5459559011540f5bfc19432d',
      movements: [
        'trade ethereum -10000000000000000',
        ...[894, 895, 896, 897, 898].map(
          (id) => `trade 0xb5f75c61052cd174c43b4187ca9333a5300d765f-${id}_base 1`,
        ),
      ],
    },
    {
      what: 'minted for gas alone',
      own: '0x96eeed03fdd6184fd02b855b2702e0513f07694b',
      movements: ['airdrop 0x0dd8cb761d895d502dc91978ceccb929165f7d6a-123_base 1'],
    },
    {
      what: 'given into a contract',
      own: '0x2750b779af5838b48383c5df127745a39e5dad59',
      movements: ['transfer 0x5078981549a1cc18673eb76fb47468f546aadc51-3522_base -1'],
    },
  ])('$what', async ({ own, movements }) => {
    const rpc = createRpcSource({
      clients: oneNode(server.url, 'rpc:ethereum'),
      contracts: { wrapped: WETH, nativeToken: null, entryPoints: [] },
    })
    const range = { fromBlock: 17_173_049, toBlock: 17_173_050, accounts: new Set([own]) }
    const { transactions, transfers } = await rpc.readBlocks(range)
    const trade = transactions.find(({ hash }) =>
      transfers.some(({ kind, txHash }) => kind === 'erc721' && txHash === hash),
    )!
    expect(
      roles(
        own,
        trade,
        transfers.filter(({ txHash }) => txHash === trade.hash),
      ),
    ).toEqual(movements)
  })
})
