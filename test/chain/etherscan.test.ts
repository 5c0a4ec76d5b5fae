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
type Row = ReturnType<typeof row>

/** Answers in Etherscan's format with rows by action; `body` replaces the answer. */
function upstream(rows: Partial<Record<string, Row[]>>, body?: unknown) {
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
        body ??
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
    expect(await readAll(upstream({}, text).source)).toEqual({ hashes: [], steps: 1 })
  })

  test.each([
    ['Max rate limit reached, please use API Key for higher rate limit', SourceUnavailable],
    ['Invalid API Key (#err2)|k-', SourceRejected],
    ['Free API access is not supported for this chain', SourceRejected],
  ])('treats an error with status 200 as an error: %s', async (result, kind) => {
    const { source } = upstream({}, { status: '0', message: 'NOTOK', result })
    await expect(source.step(request)).rejects.toThrow(kind)
  })

  test('ignores internal rows that failed or moved nothing', async () => {
    const rows = [row(1, 0), { ...row(1, 1), isError: '1' }, { ...row(1, 2), value: '0' }]
    const { internals } = await upstream({ txlistinternal: rows }).source.step(request)
    expect(internals).toEqual([{ txHash: rows[0]!.hash, from: ADDRESS, to: rows[0]!.to, value: 1n }])
  })
})
