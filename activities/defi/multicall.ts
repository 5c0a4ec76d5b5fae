import { parseAbi } from 'viem'
import type { Hex } from 'viem'
import { batchesOf } from '../../db/values/batches.ts'
import { SourceRejected } from '../errors.ts'
import { MULTICALL3 } from '../../db/values/networks/network.ts'
import type { RpcAnswer, RpcCall, RpcClient } from '../nodes/rpc.ts'
import { contractAt } from './contract-at.ts'

const MULTICALL_ABI = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[])',
])
const multicall = contractAt(MULTICALL_ABI, MULTICALL3)
const READS_PER_CALL = 200

export interface CallResult {
  success: boolean
  returnData: Hex
}

type Read = { to: string; data: Hex }
type Waiting = Read & { resolve: (result: CallResult) => void; reject: (error: unknown) => void }

/**
 * Answers reads of one block through Multicall3. Reads that are asked in the same moment share calls, and equal reads
 * have one answer, so many wallets read together cost little more than one. A call that a node refuses is asked
 * again in halves, so a read that is too costly fails alone.
 */
export function createMulticall(options: {
  client: RpcClient
  /** the call at the block */
  callAt: (call: { to: string; data: Hex }) => RpcCall
  onProgress: () => void
}): (read: Read) => Promise<CallResult> {
  const { client, callAt, onProgress } = options
  const asked = new Map<string, Promise<CallResult>>()
  let waiting: Waiting[] = []

  async function answer(groups: readonly Waiting[][]): Promise<void> {
    let answers: RpcAnswer[]
    try {
      answers = await client.send(groups.map((reads) => callAt(aggregateOf(reads))))
      onProgress()
    } catch (error) {
      for (const { reject } of groups.flat()) reject(error)
      return
    }
    const refused = groups.flatMap((reads, i) => settle(reads, answers[i]!))
    if (refused.length > 0) await answer(refused)
  }

  /** Returns the halves that are to be asked again. */
  function settle(reads: Waiting[], answered: RpcAnswer): Waiting[][] {
    if ('error' in answered) {
      const middle = reads.length >> 1
      if (answered.error instanceof SourceRejected && middle > 0)
        return [reads.slice(0, middle), reads.slice(middle)]
      for (const { reject } of reads) reject(answered.error)
      return []
    }
    const results = resultsOf(answered.result)
    if (results?.length === reads.length) reads.forEach(({ resolve }, i) => resolve(results[i]!))
    else {
      const failure = new SourceRejected(client.source, `no Multicall3 at ${MULTICALL3}`)
      for (const { reject } of reads) reject(failure)
    }
    return []
  }

  function flush(): void {
    const groups = batchesOf(waiting, READS_PER_CALL)
    waiting = []
    void answer(groups)
  }

  return ({ to, data }) => {
    const key = `${to} ${data}`
    const known = asked.get(key)
    if (known) return known
    const result = new Promise<CallResult>((resolve, reject) => {
      // After all reads that the last answers led to.
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ to, data, resolve, reject })
    })
    asked.set(key, result)
    return result
  }
}

const aggregateOf = (reads: readonly Read[]) =>
  multicall('aggregate3', [
    reads.map(({ to, data }) => ({ target: to as Hex, allowFailure: true, callData: data })),
  ])

/** null: the address has no code, or another contract. */
function resultsOf(data: unknown): readonly CallResult[] | null {
  try {
    return multicall('aggregate3', [[]]).decode(data as Hex)
  } catch {
    return null
  }
}
