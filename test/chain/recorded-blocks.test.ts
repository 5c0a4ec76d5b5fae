import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ZERO_ADDRESS } from '../../activities/chain/chain-data.ts'
import { createRpcSource } from '../../activities/chain/sources/rpc.ts'
import { oneNode } from './one-node.ts'
import type { RpcSource } from '../../activities/chain/sources/rpc.ts'
import { readRows, replayBlocks } from '../setup/replay-rpc.ts'
import { realdata } from '../setup/realdata.ts'

const FOLDER = join(realdata ?? '', 'ethereum-etl/tests/resources/test_stream/blocks_17173049_17173050')
const RANGE = { fromBlock: 17_173_049, toBlock: 17_173_050 }

describe.skipIf(!realdata)('recorded mainnet blocks through the JSON-RPC adapter', () => {
  let server: Awaited<ReturnType<typeof replayBlocks>>
  let rpc: RpcSource
  beforeAll(async () => {
    server = await replayBlocks(FOLDER)
    const wrapped = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
    rpc = createRpcSource({
      clients: oneNode(server.url, 'rpc:ethereum'),
      contracts: { wrapped, nativeToken: null, entryPoints: [] },
    })
  })
  afterAll(() => server.stop())

  test('decodes 282 ERC-20 and 9 ERC-721 transfers with exact amounts', async () => {
    const { transfers } = await rpc.readBlocks({ ...RANGE, accounts: null })
    const tokens = transfers.filter(({ kind }) => kind === 'erc20' || kind === 'erc721')
    const expected = readRows(FOLDER, 'expected_token_transfers.json')
    expect(tokens.filter(({ kind }) => kind === 'erc20')).toHaveLength(282)
    expect(tokens.filter(({ kind }) => kind === 'erc721')).toHaveLength(9)
    const text = (hash: string, index: number, token: string, from: string, to: string, value: bigint) =>
      `${hash} ${index} ${token} ${from} ${to} ${value}`
    // The recording stores the token id of an ERC-721 transfer as its value.
    expect(
      tokens
        .map((one) => text(one.txHash, one.position, one.token!, one.from, one.to, one.tokenId ?? one.raw))
        .sort(),
    ).toEqual(
      expected
        .map((row) =>
          text(
            ...([row['transaction_hash'], row['log_index'], row['token_address']] as [
              string,
              number,
              string,
            ]),
            ...([row['from_address'], row['to_address'], BigInt(row['value'])] as [string, string, bigint]),
          ),
        )
        .sort(),
    )
  })

  test('decodes every transaction with its fee, including failed ones', async () => {
    const { transactions } = await rpc.readBlocks({ ...RANGE, accounts: null })
    const expected = readRows(FOLDER, 'expected_transactions.json')
    expect(transactions).toHaveLength(298)
    expect(transactions.filter(({ success }) => !success)).toHaveLength(9)
    const fees = new Map(transactions.map(({ hash, fee }) => [hash, fee]))
    for (const row of expected)
      expect(fees.get(row['hash'])).toBe(
        BigInt(row['receipt_gas_used']) * BigInt(row['receipt_effective_gas_price']),
      )
  })

  test('reading an account by logs and by whole blocks gives the same rows', async () => {
    const all = await rpc.readBlocks({ ...RANGE, accounts: null })
    const busiest = mostFrequent(
      all.transfers.map(({ from }) => from).filter((from) => from !== ZERO_ADDRESS),
    )
    for (const account of [busiest, all.transactions[0]!.from]) {
      const accounts = new Set([account])
      const { range: byLogs } = await rpc.readSettled({ ...RANGE, accounts })
      const byBlocks = await rpc.readBlocks({ ...RANGE, accounts })
      const inOrder = (range: typeof byLogs) =>
        range.transfers
          .map((one) => `${one.txHash} ${one.kind} ${one.position} ${one.item} ${one.raw}`)
          .sort()
      expect(inOrder(byLogs).length).toBeGreaterThan(0)
      expect(inOrder(byLogs)).toEqual(inOrder(byBlocks))
      expect(byLogs.transactions.map(({ hash }) => hash).sort()).toEqual(
        byBlocks.transactions.map(({ hash }) => hash).sort(),
      )
    }
  })
})

function mostFrequent(values: string[]): string {
  const counts = [...Map.groupBy(values, (value) => value)].map(
    ([value, all]) => [value, all.length] as const,
  )
  return counts.sort((a, b) => b[1] - a[1])[0]![0]
}
