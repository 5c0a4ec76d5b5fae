import { expect, test } from 'vitest'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import { createReceiptFetcher } from '../../activities/chain/follow/fetch-receipts.ts'
import { createHeaderReader } from '../../activities/chain/follow/read-headers.ts'
import { hash } from '../setup/wallet-factories.ts'

const header = (number: number) => ({
  number: `0x${number.toString(16)}`,
  hash: hash(number),
  parentHash: hash(number - 1),
  timestamp: '0x64',
  gasUsed: '0x0',
  logsBloom: `0x${'00'.repeat(256)}`,
  transactions: [] as unknown[],
})
type Answer = (method: string, params: readonly unknown[]) => unknown

/** A node of the blocks up to 30, of which the answers to some questions are others. */
function nodeOf(answer: Answer = () => undefined) {
  const asked: [method: string, params: readonly unknown[]][] = []
  const ask = async (method: string, params: readonly unknown[]) => {
    asked.push([method, params])
    const other = answer(method, params)
    if (other !== undefined) return other
    const [key] = params as [string]
    if (method === 'eth_getBlockReceipts') return []
    if (key === 'latest') return header(30)
    if (key === 'finalized') return header(20)
    return Number(key) > 30 && method === 'eth_getBlockByNumber' ? null : header(Number(BigInt(key)))
  }
  return { asked, options: { ask, source: 'rpc:n', headTag: 'latest', unproven: new Set<never>() } }
}
const reader = (answer?: Answer) => createHeaderReader({ ...nodeOf(answer).options, full: false })
const fails =
  (error: Error): Answer =>
  () => {
    throw error
  }

test('the newest block and the last final one are those of their tags', async () => {
  expect(await reader().head()).toMatchObject({ number: '0x1e' })
  expect(await reader().finalized()).toBe(20)
})

test('a node without a head is asked again, one without final blocks has none', async () => {
  await expect(reader(() => null).head()).rejects.toThrow(SourceUnavailable)
  expect(await reader(() => null).finalized()).toBe(0)
  expect(await reader(fails(new SourceRejected('rpc:n', 'no such tag'))).finalized()).toBe(0)
  await expect(reader(fails(new SourceUnavailable('rpc:n', 'busy'))).finalized()).rejects.toThrow('busy')
})

test('headers come in the order asked for, null for one that the node lacks', async () => {
  const numbers = [12, 3, 31, ...Array.from({ length: 20 }, (_, i) => 10 + i)]
  const found = await reader().headers(numbers)
  expect(found.map((one) => one?.number ?? null)).toEqual(
    numbers.map((number) => (number > 30 ? null : number)),
  )
  expect(found[0]).toEqual({ number: 12, hash: hash(12), parentHash: hash(11), atMs: 100_000 })
})

test('a block by hash is that block, or the node lags', async () => {
  expect(await reader().byHash(hash(9))).toMatchObject({ number: '0x9' })
  await expect(reader(() => header(8)).byHash(hash(9))).rejects.toThrow('the node lags')
  await expect(reader(() => null).byHash(hash(9))).rejects.toThrow(SourceUnavailable)
})

test('receipts are asked for by hash, and only by number of a node that has refused one', async () => {
  const wants = async (answer?: Answer) => {
    const { asked, options } = nodeOf(answer)
    const { fetch } = createReceiptFetcher(options)
    for (const number of [7, 8]) await fetch(header(number) as never)
    return asked.flatMap(([method, [key]]) => (method === 'eth_getBlockReceipts' ? [key] : []))
  }
  expect(await wants()).toEqual([hash(7), hash(8)])
  const byNumber: Answer = (_, [key]) =>
    (key as string).length > 10
      ? fails(new SourceRejected('rpc:n', 'invalid block number'))('', [])
      : undefined
  expect(await wants(byNumber)).toEqual([hash(7), '0x7', '0x8'])
  await expect(wants(fails(new SourceUnavailable('rpc:n', 'busy')))).rejects.toThrow('busy')
})

test('transactions are those of the whole block, in the order of its receipts', async () => {
  const hashes = [hash(101), hash(102)]
  const of = { ...header(7), transactions: hashes }
  const read = async (...whole: string[]) => {
    const receipts = hashes.map((transactionHash) => ({ blockHash: of.hash, transactionHash, logs: [] }))
    const { options } = nodeOf((method, [, full]) =>
      method === 'eth_getBlockReceipts'
        ? receipts
        : { ...of, transactions: full === true ? whole.map((one) => ({ hash: one })) : whole },
    )
    const { fetch } = createReceiptFetcher({
      ...options,
      unproven: new Set(['gas', 'bloom', 'logs'] as const),
    })
    const found = await (await fetch(of as never)).read([1, 0])
    return found.map(({ transaction, receipt }) => [transaction.hash, receipt.transactionHash])
  }
  expect(await read(...hashes)).toEqual([
    [hash(102), hash(102)],
    [hash(101), hash(101)],
  ])
  for (const other of [[hash(101)], [hash(101), hash(103)], [hash(103), hash(104)], [...hashes, hash(103)]])
    await expect(read(...other)).rejects.toThrow(SourceUnavailable)
})

test('of a block whose receipts are read, the header names hashes alone', async () => {
  const { asked, options } = nodeOf()
  const { header: byNumber } = createReceiptFetcher(options)
  await byNumber(7)
  expect(asked).toEqual([['eth_getBlockByNumber', ['0x7', false]]])
})
