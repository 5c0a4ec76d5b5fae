import { createSolana } from '../../sandbox/solana/solana.ts'
import type { SolanaChain } from '../../sandbox/solana/chain.ts'
import { createRandom, startDouble } from './double.ts'
import type { DoubleServer, FakeClock, Reply } from './double.ts'
import { createMeter } from './meter.ts'
import { answerFrom } from './served-upstream.ts'

/** solana.com/docs/references/clusters: calls of one address in 10 s, of one method and of all. */
const METHOD = { name: 'method', most: 40, span: 10_000 } as const
const ALL = { name: 'all', most: 100, span: 10_000 } as const
/** A batch of 12 and one of 6 were refused (public text): each item counts. */
const LARGEST_BATCH = 5

interface Call {
  id: unknown
  method: string
}

/** Row 44: the public node. */
export async function startSolana(options: {
  clock: FakeClock
  chain: SolanaChain
  seed?: number
}): Promise<DoubleServer & { refused: number[] }> {
  const { clock, chain, seed = 1 } = options
  const random = createRandom(seed)
  const [methods, all] = [createMeter(clock, [METHOD]), createMeter(clock, [ALL])]
  const answer = answerFrom(
    createSolana(() => chain),
    clock,
  )
  const refused: number[] = []

  function refuse({ id }: Call): Reply {
    refused.push(44)
    const error = '{"code":429,"message":"Too many requests for a specific RPC call"}'
    return {
      status: 429,
      // 10 public texts; the header is there on about half of them.
      headers: random() < 0.5 ? { 'retry-after': '0' } : {},
      body: `{"jsonrpc":"2.0","error":${error},"id":${JSON.stringify(id)}}`,
    }
  }

  const server = await startDouble(async (asked) => {
    const calls = [JSON.parse(asked.body) as Call | Call[]].flat()
    const isBatch = asked.body.trimStart().startsWith('[')
    if (calls.filter(({ method }) => method === 'getTransaction').length > LARGEST_BATCH)
      return refuse(calls[0]!)
    for (const call of calls)
      if (all.take(asked.address) || methods.take(`${asked.address} ${call.method}`)) return refuse(call)
    const replies: Reply[] = []
    for (const call of calls) replies.push(await answer({ ...asked, body: JSON.stringify(call) }))
    return isBatch ? { body: replies.map(({ body }) => body) } : replies[0]!
  })
  return { ...server, refused }
}
