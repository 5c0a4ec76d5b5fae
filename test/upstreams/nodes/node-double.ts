import { createMeter, createRandom, shuffled, startDouble } from '../double.ts'
import type { Asked, DoubleServer, FakeClock, Meter, Reply, Span } from '../double.ts'
import { answerCall } from './answer-call.ts'
import type { Call, View } from './answer-call.ts'
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
  /** every call, also those inside of batches */
  calls: Call[]
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
}): Promise<NodeDouble> {
  const { vendor, chain, clock, seed = 1 } = options
  const state: NodeState = { chain, vendor, lag: 0, keyIsRevoked: false, isDown: false, distort: null }
  const random = createRandom(seed)
  const meters = createMeters(vendor, clock)
  const calls: Call[] = []

  function answer({ method, path, body, address }: Asked): Reply | null {
    if (state.isDown) return null
    if (method !== 'POST') return { status: 405, body: { error: 'method not allowed' } }
    const asked = JSON.parse(body) as RpcRequest | RpcRequest[]
    const requests = [asked].flat()
    const { withoutKey, batch } = state.vendor
    if (withoutKey && (state.keyIsRevoked || !path.endsWith(`/${KEY}`))) return refuseWhole(withoutKey, asked)
    const account = withoutKey ? KEY : address
    const over = meters.request(account, requests)
    if (over) return refuseWhole(over, asked)
    if (batch && requests.length > batch.most) return refuseWhole(batch.refusal, asked)
    calls.push(...requests)
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
    const over = meters.call(account, call.method)
    if (over) return { refusal: over }
    const head = Math.max(0, state.chain.head() - state.vendor.lag - state.lag)
    const view: View = { chain: state.chain, head }
    const honest = () => answerCall(view, call)
    try {
      for (const rule of state.vendor.rules) {
        const refusal = rule.refuse(call, view, honest)
        if (refusal) return { refusal }
      }
      const result = honest()
      return { result: state.distort ? (state.distort(call, result) ?? null) : result }
    } catch (error) {
      if (error instanceof RpcError) return { refusal: error.refusal }
      throw error
    }
  }

  const server = await startDouble(answer)
  return {
    ...server,
    nodeUrl: `${server.url}/v2/${vendor.withoutKey ? KEY : ''}`,
    state,
    calls,
    spent: meters.spent,
    spend: (used) => meters.spend(vendor.withoutKey ? KEY : '127.0.0.1', used),
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

/** Counts requests, units and throughput, each over all windows of the vendor's quotas. */
function createMeters(vendor: Vendor, clock: FakeClock) {
  const { quotas, cost, throughput = cost } = vendor
  const meterOf = (of: string): Meter =>
    createMeter(
      clock,
      quotas.filter((quota) => quota.of === of).map(({ limit }) => limit),
    )
  const [requests, units, flow] = [meterOf('requests'), meterOf('units'), meterOf('throughput')]
  const refusalOf = (name: string | undefined, refuses: string) =>
    quotas.find((quota) => quota.limit.name === name && quota.refuses === refuses)?.refusal ?? null
  // For tests that ask for the sum of a window that no quota has.
  const all = createMeter(clock, [{ name: 'all', most: Infinity, span: 'month' }])

  return {
    request(account: string, calls: readonly Call[]): Refusal | null {
      const sum = calls.reduce((total, { method }) => total + cost(method), 0)
      const over = requests.take(account)?.name ?? units.broken(account, sum)?.name
      return refusalOf(over, 'whole')
    },
    call(account: string, method: string): Refusal | null {
      const over = flow.broken(account, throughput(method))?.name
      const refusal = refusalOf(over, 'call')
      if (refusal) return refusal
      flow.count(account, throughput(method))
      units.count(account, cost(method))
      all.count('all', cost(method))
      return null
    },
    spent: (span: Span) => all.spent('all', span),
    spend: (account: string, used: number) => units.count(account, used),
  }
}
