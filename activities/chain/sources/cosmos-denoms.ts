import { z } from 'zod'
import { SourceUnavailable } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import type { ChainToken } from '../chain-data.ts'

const metadata = z.object({
  metadata: z.object({
    denom_units: z.array(z.object({ denom: z.string(), exponent: z.int().min(0) })),
    display: z.string(),
    name: z.string().default(''),
    symbol: z.string().default(''),
  }),
})

/** Where a node tells what a denomination of IBC is called at home: since version 10 of IBC, and before. */
const ORIGINS = [
  {
    path: '/ibc/apps/transfer/v1/denoms/',
    schema: z.object({ denom: z.object({ base: z.string() }) }).transform(({ denom }) => denom.base),
  },
  {
    path: '/ibc/apps/transfer/v1/denom_traces/',
    schema: z
      .object({ denom_trace: z.object({ base_denom: z.string() }) })
      .transform((answer) => answer.denom_trace.base_denom),
  },
] as const

/**
 * Returns what a chain says of denominations. Of one that came by IBC it knows the name at home, and not the decimal
 * places: those come from the coin list alone, because anybody may open a channel and call a coin ATOM.
 */
export function createDenoms({ http, name: source, url }: { http: HttpClient; name: string; url: string }) {
  /** Which of ORIGINS the node has. */
  let known = 0

  /** null: the node does not know the denomination. 'unsupported': it does not know the question. */
  async function ask<T>(path: string, schema: z.ZodType<T>): Promise<T | null | 'unsupported'> {
    const answer = await http.send({ source, url: `${url}${path}`, method: 'GET', headers: {} })
    if (answer.status === 501) return 'unsupported'
    if (answer.status === 404 || answer.status === 400) return null
    const parsed = answer.status === 200 ? schema.safeParse(JSON.parse(answer.text)) : null
    if (!parsed?.success) throw new SourceUnavailable(source, `${path}: status ${answer.status}`)
    return parsed.data
  }

  async function originOf(hash: string): Promise<string | null> {
    for (let tries = 0; tries < ORIGINS.length; tries++) {
      const { path, schema } = ORIGINS[known]!
      const base = await ask(`${path}${hash}`, schema)
      if (base !== 'unsupported') return base
      known = (known + 1) % ORIGINS.length
    }
    return null
  }

  async function readDenom(denom: string): Promise<ChainToken> {
    const [, hash] = /^ibc\/([0-9A-F]{64})$/.exec(denom) ?? []
    if (hash) {
      const base = await originOf(hash)
      return { address: denom, symbol: base, name: base, decimals: null }
    }
    const query = new URLSearchParams({ denom })
    const found = await ask(
      `/cosmos/bank/v1beta1/denoms_metadata_by_query_string?${query.toString()}`,
      metadata,
    )
    if (found === null || found === 'unsupported')
      return { address: denom, symbol: null, name: null, decimals: null }
    const { display, name, symbol, denom_units: units } = found.metadata
    const decimals = units.find((one) => one.denom === display)?.exponent ?? null
    return { address: denom, symbol: symbol || null, name: name || null, decimals }
  }

  return async (denoms: readonly string[]): Promise<ChainToken[]> => {
    const tokens: ChainToken[] = []
    for (const denom of denoms) tokens.push(await readDenom(denom))
    return tokens
  }
}
