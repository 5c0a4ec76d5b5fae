import type { Hex } from 'viem'
import { z } from 'zod'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import { describeIssues } from '../parse-rows.ts'
import type { RpcAnswer, RpcClient } from '../nodes/rpc.ts'
import type { ContractRead } from './contract-at.ts'
import { createMulticall } from './multicall.ts'
import type { PinnedBlock } from './network-at-block.ts'

/** Results in the order of the reads. */
type Results<Reads extends readonly ContractRead<unknown>[]> = {
  -readonly [K in keyof Reads]: Reads[K] extends ContractRead<infer T> ? T : never
}
type TriedResults<Reads extends readonly ContractRead<unknown>[]> = {
  -readonly [K in keyof Reads]: Reads[K] extends ContractRead<infer T> ? T | null : never
}

/**
 * Reads contracts at one block, pinned by its hash, so blocks mined meanwhile change nothing. Wallets that are read at
 * the same time share its calls: see `createMulticall`.
 */
export interface BlockReader {
  source: string
  block: PinnedBlock
  /** Throws SourceRejected when a call reverts or the contract is another one. */
  read: <const Reads extends readonly ContractRead<unknown>[]>(reads: Reads) => Promise<Results<Reads>>
  /** Gives null for such calls instead of throwing. */
  tryRead: <const Reads extends readonly ContractRead<unknown>[]>(
    reads: Reads,
  ) => Promise<TriedResults<Reads>>
  /** Like `tryRead` with `from` as sender, for owner-only functions. Sends nothing to the chain. */
  tryAs: <const Reads extends readonly ContractRead<unknown>[]>(
    from: string,
    reads: Reads,
  ) => Promise<TriedResults<Reads>>
}

const hexNumber = z.string().regex(/^0x[0-9a-f]{1,13}$/)
const headSchema = z.object({
  number: hexNumber,
  hash: z.string().regex(/^0x[0-9a-f]{64}$/),
  timestamp: hexNumber,
})

/** Pins the newest block of the node. `onProgress` is called after each request. */
export async function readAtHead(client: RpcClient, onProgress: () => void): Promise<BlockReader> {
  const head = headSchema.safeParse(await client.call('eth_getBlockByNumber', 'latest', false))
  if (!head.success) throw new SourceRejected(client.source, `latest block: ${describeIssues(head.error)}`)
  const { number, hash, timestamp } = head.data
  const block = { number: Number(number), hash, at: new Date(Number(timestamp) * 1_000) }
  return createBlockReader({ client, block, onProgress })
}

function createBlockReader(options: {
  client: RpcClient
  block: PinnedBlock
  onProgress: () => void
}): BlockReader {
  const { client, block, onProgress } = options
  const { source } = client
  const callAt = (call: { from?: string; to: string; data: Hex }) => ({
    method: 'eth_call',
    params: [call, { blockHash: block.hash }],
  })
  const ask = createMulticall({ client, callAt, onProgress })

  async function tryAll(reads: readonly ContractRead<unknown>[]): Promise<unknown[]> {
    const answers = await Promise.all(reads.map(ask))
    return answers.map(({ success, returnData }, i) =>
      success ? decoded(reads[i]!.decode, returnData) : null,
    )
  }

  async function readAll(reads: readonly ContractRead<unknown>[]): Promise<unknown[]> {
    const results = await tryAll(reads)
    const failed = results.indexOf(null)
    if (failed < 0) return results
    const { to, data } = reads[failed]!
    throw new SourceRejected(source, `${to} does not answer ${data.slice(0, 10)}`)
  }

  async function tryAllAs(from: string, reads: readonly ContractRead<unknown>[]): Promise<unknown[]> {
    if (reads.length === 0) return []
    const answers = await client.send(reads.map(({ to, data }) => callAt({ from, to, data })))
    onProgress()
    return reads.map(({ decode }, i) => decoded(decode, resultOf(answers[i]!)))
  }

  return {
    source,
    block,
    read: readAll as BlockReader['read'],
    tryRead: tryAll as BlockReader['tryRead'],
    tryAs: tryAllAs as BlockReader['tryAs'],
  }
}

/** The result of a call; null: it reverted. Throws when the node does not answer. */
function resultOf(answer: RpcAnswer): unknown {
  if (!('error' in answer)) return answer.result
  if (answer.error instanceof SourceUnavailable) throw answer.error
  return null
}

function decoded<T>(decode: (data: Hex) => T, data: unknown): T | null {
  try {
    return decode(data as Hex)
  } catch {
    // Empty data from an address without code, or an answer of another contract than expected.
    return null
  }
}
