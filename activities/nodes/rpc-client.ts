import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeRate } from './node-rate.ts'
import { createBatchSize, createLogRange } from './rpc-limits.ts'
import type { RpcAnswer, RpcCall, RpcClient } from './rpc.ts'
import { refusalOf } from './rpc.ts'
import { createRpcTransport } from './rpc-transport.ts'
import { SourceUnavailable } from '../errors.ts'

const REQUESTS_AT_ONCE = 2
/** Rounds without an answer after which a node that asks to wait counts as unavailable. */
const PATIENCE = 4
const LONGEST_PAUSE_MS = 10_000

/**
 * Sends calls in batches that the node accepts. Calls that hit its rate are sent again after a pause. All
 * other failures are the caller's, because Temporal retries.
 */
export function createRpcClient(options: {
  url: string
  source: string
  timeoutMs?: number
  /** waits before calls are sent again */
  pause?: (ms: number) => Promise<void>
  /** how fast the node may be asked */
  rate?: NodeRate
}): RpcClient {
  const { url, source, timeoutMs = 20_000, pause = (ms) => sleep(ms), rate } = options
  const request = createRpcTransport({ url, source, timeoutMs })
  const size = createBatchSize()
  const logRange = createLogRange()

  async function ask(calls: readonly RpcCall[]): Promise<Round> {
    let answers: RpcAnswer[]
    try {
      await rate?.admit(calls, pause)
      answers = await request(calls)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal?.kind === 'batch' && calls.length > 1) {
        size.refused(calls.length, refusal.calls)
        return { answers: calls.map(() => null), delay: null }
      }
      if (refusal?.kind !== 'rate') throw error
      answers = calls.map(() => ({ error: error as Error }))
    }
    const delay = answers.map(delayOf).find((one) => one !== null) ?? null
    const passed = answers.map((answer) => (delayOf(answer) ? null : answer))
    size.answered(passed.filter((answer) => answer !== null).length, calls.length)
    return { answers: passed, delay }
  }

  async function send(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    const answers: (RpcAnswer | null)[] = calls.map(() => null)
    let idle = 0
    for (let open = [...calls.keys()]; open.length > 0;) {
      const sizeOf = (some: readonly number[]) => rate?.fits(some.map((i) => calls[i]!)) ?? some.length
      const rounds = await Promise.all(
        parts(open, { most: size.calls(), sizeOf }).map(async (part) => {
          const round = await ask(part.map((i) => calls[i]!))
          part.forEach((i, k) => (answers[i] = round.answers[k]!))
          return round
        }),
      )
      const left = open.filter((i) => answers[i] === null)
      const delay = rounds.find((round) => round.delay !== null)?.delay
      idle = left.length < open.length || !delay ? 0 : idle + 1
      open = left
      if (!delay) continue
      if (idle === PATIENCE) return answers.map((answer) => answer ?? { error: delay })
      await pause(Math.min(LONGEST_PAUSE_MS, Math.max(delay.retryAfterMs ?? 0, 1_000 * 2 ** idle)))
    }
    return answers as RpcAnswer[]
  }

  return {
    ...withBatch({ source, send }),
    logRange,
    get batchCalls() {
      return size.calls()
    },
    isOnPace: true,
  }
}

interface Round {
  /** null: must be sent again */
  answers: (RpcAnswer | null)[]
  /** The node asked to wait. */
  delay: SourceUnavailable | null
}

const delayOf = (answer: RpcAnswer): SourceUnavailable | null =>
  'error' in answer && answer.error instanceof SourceUnavailable && refusalOf(answer.error)?.kind === 'rate'
    ? answer.error
    : null

/** The next parts that are sent at once. */
function parts(
  open: readonly number[],
  { most, sizeOf }: { most: number; sizeOf: (some: readonly number[]) => number },
): number[][] {
  const found: number[][] = []
  for (let at = 0; found.length < REQUESTS_AT_ONCE && at < open.length;) {
    const some = open.slice(at, at + most)
    found.push(some.slice(0, sizeOf(some)))
    at += found.at(-1)!.length
  }
  return found
}

/** `batch` and `call` of a client whose `send` is given. */
export function withBatch({ source, send }: Pick<RpcClient, 'source' | 'send'>) {
  async function batch(calls: readonly RpcCall[]): Promise<unknown[]> {
    return (await send(calls)).map((answer) => {
      if ('error' in answer) throw answer.error
      return answer.result
    })
  }
  const call = async (method: string, ...params: unknown[]) => (await batch([{ method, params }]))[0]
  return { source, send, batch, call }
}
