import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSolana } from '../../activities/chain/sources/solana.ts'
import { realdata } from '../setup/realdata.ts'
import { freeHttp } from './free-http.ts'
import { fullHistory } from './full-history.ts'

const FOLDER = join(realdata ?? '', 'blockatlas/platform/solana/mocks')
const HEAD = 60_000_000
const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))

interface Recorded {
  result: {
    slot: number
    transaction: { signatures: string[]; message: { accountKeys: { pubkey: string }[] } }
  }
}

/** Serves the recorded transactions under the current method names; the response format is unchanged. */
async function startNode(transactions: Recorded[]) {
  const listed = new Map<string, unknown>(
    read('getConfirmedSignaturesForAddress2.json').result.map((one: any) => [one.signature, one]),
  )
  const answers: Record<string, (params: any[]) => unknown> = {
    getSlot: () => HEAD,
    getBlockTime: () => 1_700_000_000,
    getTokenAccountsByOwner: () => ({ context: { slot: HEAD }, value: [] }),
    getTransaction: ([signature]) =>
      transactions.find(({ result }) => result.transaction.signatures[0] === signature)?.result ?? null,
    getSignaturesForAddress: ([address]) =>
      transactions
        .filter(({ result }) =>
          result.transaction.message.accountKeys.some(({ pubkey }) => pubkey === address),
        )
        .map(({ result }) => {
          const signature = result.transaction.signatures[0]!
          return listed.get(signature) ?? { signature, slot: result.slot, err: null, memo: null }
        }),
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { id, method, params } = JSON.parse(Buffer.concat(parts).toString())
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]!(params) }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
}

describe.skipIf(!realdata)('recorded Solana transactions through the JSON-RPC adapter', () => {
  const stops: (() => unknown)[] = []
  let source: ReturnType<typeof createSolana>
  beforeAll(async () => {
    const { url, stop } = await startNode(read('getConfirmedTransaction.json'))
    const http = freeHttp({ solana: { url } })
    stops.push(stop, () => http.close())
    source = createSolana({ http, url })
  })
  afterAll(async () => {
    for (const stop of stops) await stop()
  })

  test('two transfers of an address match the expected values', async () => {
    const address = 'AHy6YZA8BsHgQfVkk7MbwpAN94iyN7Nf1zN4nPqUN32Q'
    const expected = read('GetTxsByAddress.json') as any[]
    const { transactions, transfers, blocks } = await fullHistory(source, address)
    expect(transactions).toHaveLength(2)
    expect(blocks).toHaveLength(2)
    for (const one of expected) {
      const transaction = transactions.find(({ hash }) => hash === one.id)!
      expect(transaction).toMatchObject({
        blockNumber: one.block,
        atMs: one.date * 1_000,
        fee: BigInt(one.fee),
      })
      const mine = transfers.filter(
        ({ txHash, from, to }) => txHash === one.id && (from === address || to === address),
      )
      expect(mine).toHaveLength(1)
      expect(mine[0]!.raw).toBe(BigInt(one.metadata.value))
      expect(mine[0]!.to === address).toBe(one.direction === 'incoming')
      const other = transfers.find(
        ({ txHash, from, to }) => txHash === one.id && from !== address && to !== address,
      )!
      expect([other.from, other.to]).toContain(one.direction === 'incoming' ? one.from : one.to)
    }
  })

  test('a failed vote moves only the fee', async () => {
    const { transactions, transfers } = await fullHistory(
      source,
      'D32cBNvo9qmMyMSJzWqDPQ3ujYFuW9HHNjVkwxspezQr',
    )
    expect(transfers).toEqual([])
    expect(transactions).toHaveLength(1)
    expect(transactions[0]).toMatchObject({ success: false, fee: 5_000n, blockNumber: 52_838_310 })
  })
})
