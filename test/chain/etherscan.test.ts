import { describe, expect, test } from 'vitest'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import type { HttpClient } from '../../activities/http-client.ts'
import { createEtherscan } from '../../activities/chain/sources/etherscan.ts'

const ADDRESS = `0x${'aa'.repeat(20)}`
const row = (block: number, index: number) => ({
  blockNumber: String(block),
  hash: `0x${block.toString(16).padStart(32, '0')}${index.toString(16).padStart(32, '0')}`,
  from: ADDRESS,
  to: `0x${'bb'.repeat(20)}`,
  value: '1',
  isError: '0',
})
type Row = ReturnType<typeof row> & { contractAddress?: string; blockHash?: string; timeStamp?: string }

const TOO_WIDE = { status: '0', message: 'Query Timeout', result: 'Please select a smaller result dataset' }

/** Answers in Etherscan's format with rows by action; `answerTo` may replace the answer. */
function upstream(
  rows: Partial<Record<string, Partial<Row>[]>>,
  answerTo: (blocks: number, chainId: number) => unknown = () => undefined,
) {
  const asked: URLSearchParams[] = []
  const http: HttpClient = {
    fetchJson: ({ source, url, schema, refuse }) => {
      const query = new URL(url).searchParams
      asked.push(query)
      const number = (name: string) => Number(query.get(name))
      const found = (rows[query.get('action')!] ?? []).filter(
        ({ blockNumber }) =>
          Number(blockNumber) >= number('startblock') && Number(blockNumber) <= number('endblock'),
      )
      const page = found.slice((number('page') - 1) * number('offset'), number('page') * number('offset'))
      const answer =
        answerTo(number('endblock') - number('startblock') + 1, number('chainid')) ??
        (page.length > 0
          ? { status: '1', message: 'OK', result: page }
          : { status: '0', message: 'No transactions found', result: [] })
      const refusal = refuse?.(answer)
      if (refusal?.later) return Promise.reject(new SourceUnavailable(source, refusal.reason))
      if (refusal) return Promise.reject(new SourceRejected(source, refusal.reason))
      return Promise.resolve(schema.parse(answer))
    },
    fetchText: () => Promise.reject(new Error('an explorer answers JSON')),
    send: () => Promise.reject(new Error('an explorer answers JSON')),
    close: () => Promise.resolve(),
  }
  return { asked, source: createEtherscan({ http, url: 'https://scan.example/v2/api', key: 'k' }) }
}

const request = { chainId: 1, address: ADDRESS, fromBlock: 0, toBlock: 1_000_000, next: null }

/** Reads all steps of a range. */
async function readAll(source: ReturnType<typeof upstream>['source']) {
  const hashes: string[] = []
  let fromBlock = 0
  let steps = 0
  while (fromBlock <= request.toBlock) {
    const step = await source.step({ ...request, fromBlock })
    expect(step.through).toBeGreaterThanOrEqual(fromBlock)
    hashes.push(...step.hashes)
    fromBlock = step.through + 1
    steps++
  }
  return { hashes, steps }
}

describe('Etherscan', () => {
  test('reads every row once when a page ends inside a block', async () => {
    // Three rows per block, so a page of 1,000 rows splits a block.
    const rows = Array.from({ length: 4_500 }, (_, i) => row(100 + Math.floor(i / 3), i % 3))
    const { hashes, steps } = await readAll(upstream({ txlist: rows, tokentx: rows.slice(0, 40) }).source)
    expect(hashes).toHaveLength(4_500)
    expect(new Set(hashes)).toEqual(new Set(rows.map(({ hash }) => hash)))
    expect(steps).toBeGreaterThan(4)
  })

  test('reads a block that spans several pages', async () => {
    const rows = [...Array.from({ length: 2_500 }, (_, i) => row(7, i)), row(8, 0)]
    const { hashes } = await readAll(upstream({ txlist: rows }).source)
    expect(new Set(hashes).size).toBe(2_501)
  })

  test('fails on a block with more than 10,000 rows instead of truncating it', async () => {
    const rows = Array.from({ length: 10_050 }, (_, i) => row(7, i))
    await expect(readAll(upstream({ txlist: rows }).source)).rejects.toThrow('more than the 10000 rows')
  })

  test('returns nothing for an address without transactions', async () => {
    expect(await readAll(upstream({}).source)).toEqual({ hashes: [], steps: 1 })
    const text = { status: '0', message: 'No transactions found', result: null }
    expect(await readAll(upstream({}, () => text).source)).toEqual({ hashes: [], steps: 1 })
  })

  test.each([
    ['Max rate limit reached, please use API Key for higher rate limit', SourceUnavailable],
    ['Invalid API Key (#err2)|k-', SourceRejected],
    ['Free API access is not supported for this chain', SourceRejected],
  ])('treats an error with status 200 as an error: %s', async (result, kind) => {
    const { source } = upstream({}, () => ({ status: '0', message: 'NOTOK', result }))
    await expect(source.step(request)).rejects.toThrow(kind)
  })

  test('ignores internal rows that failed or moved nothing', async () => {
    const rows = [row(1, 0), { ...row(1, 1), isError: '1' }, { ...row(1, 2), value: '0' }]
    const { internals } = await upstream({ txlistinternal: rows }).source.step(request)
    expect(internals).toEqual([{ txHash: rows[0]!.hash, from: ADDRESS, to: rows[0]!.to, value: 1n }])
  })

  test('what a contract sent to one that it created was received by that one', async () => {
    const created = `0x${'CC'.repeat(20)}`
    const rows = [
      { ...row(1, 0), to: '', contractAddress: created },
      { ...row(1, 1), to: '', contractAddress: '' },
      { ...row(1, 2), contractAddress: created },
    ]
    const { internals } = await upstream({ txlistinternal: rows }).source.step(request)
    expect(internals.map(({ to }) => to)).toEqual([created.toLowerCase(), ADDRESS, rows[2]!.to])
  })

  test('names the block of a transaction as well as one of its rows does', async () => {
    const [known, unknown] = [row(3, 0), row(4, 0)]
    const named = { ...known, blockHash: `0x${'DD'.repeat(32)}`, timeStamp: '1700000000' }
    const { source } = upstream({
      txlistinternal: [known, unknown],
      tokentx: [named],
      tokennfttx: [{ ...named, blockHash: `0x${'EE'.repeat(32)}` }],
    })
    const { blocks } = await source.step(request)
    expect([...blocks!]).toEqual([
      [known.hash, { number: 3, hash: `0x${'dd'.repeat(32)}`, atMs: 1_700_000_000_000 }],
      [unknown.hash, { number: 4, hash: null, atMs: null }],
    ])
  })

  test('no row above the last block that every list is complete to is given yet', async () => {
    const rows = Array.from({ length: 1_001 }, (_, i) => row(100 + i, 0))
    const { source } = upstream({ txlist: [row(1_099, 1)], token1155tx: rows })
    const { through, hashes } = await source.step(request)
    expect([through, hashes.length]).toEqual([1_098, 999])
  })

  test('the other lists are read only as far as the first is complete', async () => {
    const rows = Array.from({ length: 1_001 }, (_, i) => row(100 + i, 0))
    const { source, asked } = upstream({ txlist: rows })
    expect(await source.step({ ...request, fromBlock: 100 })).toMatchObject({ through: 1_098 })
    expect(asked.map((query) => Number(query.get('endblock')))).toEqual([
      1_000_000,
      ...[1, 2, 3, 4].map(() => 1_098),
    ])
  })
})

describe('a range that is too wide for Etherscan', () => {
  const WIDEST = 16
  const blocks = (query: URLSearchParams) =>
    Number(query.get('endblock')) - Number(query.get('startblock')) + 1
  /** Reads steps of 1,024 blocks; returns how many blocks each request for the first list asked about. */
  async function widthsOf({ source, asked }: ReturnType<typeof upstream>, steps: number, chainId = 1) {
    asked.length = 0
    for (let fromBlock = 5, i = 0; i < steps; i++)
      fromBlock =
        (await source.step({ ...request, chainId, fromBlock, toBlock: fromBlock + 1_023 })).through + 1
    return asked.filter((query) => query.get('action') === 'txlist').map(blocks)
  }
  const times = (count: number, width: number) => Array.from({ length: count }, () => width)

  test('is halved until it is answered, and after eight more steps twice as much is tried', async () => {
    let widest = WIDEST
    const scan = upstream({}, (width) => (width > widest ? TOO_WIDE : undefined))
    expect(await widthsOf(scan, 1)).toEqual([1_024, 512, 256, 128, 64, 32, 16])
    expect(await widthsOf(scan, 8)).toEqual(times(8, 16))
    expect(await widthsOf(scan, 1)).toEqual([32, 16])
    expect(await widthsOf(scan, 8)).toEqual(times(8, 16))
    widest = 40
    expect(await widthsOf(scan, 8)).toEqual(times(8, 32))
    expect(await widthsOf(scan, 1)).toEqual([64, 32])
  })

  test('is so for one chain, and not for the others', async () => {
    const scan = upstream({}, (width, chainId) => (chainId === 1 && width > WIDEST ? TOO_WIDE : undefined))
    await widthsOf(scan, 1)
    expect(await widthsOf(scan, 1, 10)).toEqual([1_024])
    expect(await widthsOf(scan, 1)).toEqual([16])
  })

  test('a narrow one that is answered does not limit later ones', async () => {
    const scan = upstream({})
    await scan.source.step({ ...request, fromBlock: 5, toBlock: 5 })
    expect(scan.asked.map(blocks)).toEqual(times(5, 1))
    expect(await widthsOf(scan, 1)).toEqual([1_024])
  })
})
