import { createRandom, shuffled, startDouble } from '../double.ts'
import type { Asked, DoubleServer, FakeClock, Reply } from '../double.ts'
import type { Span } from '../meter.ts'
import { answerCall } from './answer-call.ts'
import type { Call, View } from './answer-call.ts'
import { createBooks } from './books.ts'
import type { Books } from './books.ts'
import type { MemoryChain } from './chain.ts'
import { RpcError } from './rpc-error.ts'
import type { Refusal } from './rpc-error.ts'
import type { Vendor } from './vendor.ts'

/** What a test may change while the double runs. */
export interface NodeState {
  chain: MemoryChain
  vendor: Vendor
  /** blocks that its head is behind, on top of the vendor's */
  lag: number
  keyIsRevoked: boolean
  /** connections are cut */
  isDown: boolean
  /** Answers differently than the chain, for a node at fault. undefined: as the chain. */
  distort: ((call: Call, answer: unknown) => unknown) | null
}

export interface NodeDouble extends DoubleServer {
  /** with the key in its path */
  nodeUrl: string
  state: NodeState
  /** every call, also those inside of batches, unless there are too many to keep */
  calls: Call[]
  /** how many calls it was asked, by method */
  counts: ReadonlyMap<string, number>
  /** how often a rule of the plan refused a call, by its message */
  refused: ReadonlyMap<string, number>
  /** units of the vendor that it has counted in a window */
  spent: (span: Span) => number
  /** Spends units as if they had been used elsewhere before. */
  spend: (units: number) => void
}

const KEY = 'a-key-of-the-free-plan'

/** Serves a chain as one vendor's plan does. */
export async function startNode(options: {
  vendor: Vendor
  chain: MemoryChain
  clock: FakeClock
  seed?: number
  /** those of the nodes that share the account; absent: it has an account of its own */
  books?: Books
  keepsAsked?: boolean
}): Promise<NodeDouble> {
  const { vendor, chain, clock, seed = 1, books = createBooks(vendor, clock), keepsAsked = true } = options
  const state: NodeState = { chain, vendor, lag: 0, keyIsRevoked: false, isDown: false, distort: null }
  const random = createRandom(seed)
  const calls: Call[] = []
  const counts = new Map<string, number>()
  const refused = new Map<string, number>()

  function answer({ method, path, body, address }: Asked): Reply | null {
    if (state.isDown) return null
    if (method !== 'POST') return { status: 405, body: { error: 'method not allowed' } }
    const asked = JSON.parse(body) as RpcRequest | RpcRequest[]
    const requests = [asked].flat()
    const { withoutKey, batch } = state.vendor
    if (withoutKey && (state.keyIsRevoked || !path.endsWith(`/${KEY}`))) return refuseWhole(withoutKey, asked)
    const account = withoutKey ? KEY : address
    const over = books.request(account, requests)
    if (over) return refuseWhole(over, asked)
    if (batch && requests.length > batch.most) return refuseWhole(batch.refusal, asked)
    if (keepsAsked) calls.push(...requests)
    for (const { method } of requests) counts.set(method, (counts.get(method) ?? 0) + 1)
    const replies = requests.map((request) => ({ request, ...answerOne(account, request) }))
    const bodies = replies.map(({ request, refusal, result }) => ({
      jsonrpc: '2.0',
      id: request.id,
      ...(refusal ? { error: errorOf(refusal) } : { result }),
    }))
    if (Array.isArray(asked)) return { body: shuffled(bodies, random) }
    const { refusal } = replies[0]!
    return { status: refusal?.status ?? 200, body: refusal?.body ?? bodies[0] }
  }

  function answerOne(account: string, call: RpcRequest): { refusal?: Refusal; result?: unknown } {
    const over = books.call(account, call.method)
    if (over) return { refusal: over }
    const head = Math.max(0, state.chain.head() - state.vendor.lag - state.lag)
    const view: View = { chain: state.chain, head }
    const honest = () => answerCall(view, call)
    try {
      for (const rule of state.vendor.rules) {
        const refusal = rule.refuse(call, view, honest)
        if (!refusal) continue
        refused.set(refusal.message, (refused.get(refusal.message) ?? 0) + 1)
        return { refusal }
      }
      const result = honest()
      return { result: state.distort ? (state.distort(call, result) ?? null) : result }
    } catch (error) {
      if (error instanceof RpcError) return { refusal: error.refusal }
      throw error
    }
  }

  const server = await startDouble(answer, { keepsAsked })
  return {
    ...server,
    nodeUrl: `${server.url}/v2/${vendor.withoutKey ? KEY : ''}`,
    state,
    calls,
    counts,
    refused,
    spent: books.spent,
    spend: (used) => books.spend(vendor.withoutKey ? KEY : '127.0.0.1', used),
  }
}

interface RpcRequest extends Call {
  id: number
}

/** A batch that is refused as a whole is answered by a list, with the status of the refusal. */
function refuseWhole(refusal: Refusal, asked: RpcRequest | RpcRequest[]): Reply {
  const { status = 200, body } = refusal
  if (body !== undefined) return { status, body }
  const of = ({ id }: RpcRequest) => ({ jsonrpc: '2.0', id, error: errorOf(refusal) })
  return { status, body: Array.isArray(asked) ? asked.map(of) : of(asked) }
}

const errorOf = ({ code, message }: Refusal) => ({ code, message })
