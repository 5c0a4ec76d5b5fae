import { createHash } from 'node:crypto'
import { z } from 'zod'
import { SourceRejected } from '../../errors.ts'
import type { HttpClient, Refusal } from '../../http-client.ts'

export const GOPLUS = 'goplus'

/** Its numbers of networks. */
const CHAIN_IDS: Record<string, number> = {
  ethereum: 1,
  optimism: 10,
  binance_smart: 56,
  'polygon-pos': 137,
  base: 8453,
  'arbitrum-one': 42161,
  avalanche: 43114,
}

/** What it says of one token: its scalar fields. "" and a missing field both mean that it does not know. */
export type TokenFacts = Record<string, string>

const answer = z.object({ result: z.record(z.string(), z.record(z.string(), z.unknown())).nullish() })
const grant = z.object({ result: z.object({ access_token: z.string().min(1), expires_in: z.number() }) })

/** A token that is used until its last minute might be refused on the way. */
const SPARE_MS = 60_000

/**
 * GoPlus' token security API. Without a key it takes one address a call; with `<app key>:<app secret>` a hundred.
 * Unindexed tokens are missing from its answers, whose keys are in lower case.
 */
export function createGoPlus(options: {
  http: HttpClient
  url: string
  key: string | null
  now: () => Date
}) {
  const { http, url, key, now } = options
  let access: { token: string; untilMs: number } | null = null

  async function headers(): Promise<Record<string, string>> {
    if (key === null) return {}
    if (access === null || access.untilMs <= now().getTime()) access = await requestAccess(key)
    return { authorization: access.token }
  }

  async function requestAccess(credentials: string): Promise<{ token: string; untilMs: number }> {
    const [appKey = '', appSecret = ''] = credentials.split(':')
    const nowMs = now().getTime()
    const time = Math.floor(nowMs / 1_000)
    const sign = createHash('sha1').update(`${appKey}${time}${appSecret}`).digest('hex')
    const { result } = await http.fetchJson({
      source: GOPLUS,
      url: `${url}/api/v1/token`,
      body: { app_key: appKey, sign, time },
      schema: grant,
      refuse: refusalOf,
    })
    return { token: result.access_token, untilMs: nowMs + result.expires_in * 1_000 - SPARE_MS }
  }

  /** By address in lower case, at most `batchSize` of them; a token that it does not know is not there. */
  async function tokenFacts(request: {
    blockchain: string
    addresses: readonly string[]
  }): Promise<Map<string, TokenFacts>> {
    const chainId = CHAIN_IDS[request.blockchain]
    if (chainId === undefined) throw new SourceRejected(GOPLUS, `no network ${request.blockchain}`)
    const { result } = await http.fetchJson({
      source: GOPLUS,
      url: `${url}/api/v1/token_security/${chainId}?contract_addresses=${request.addresses.join(',')}`,
      headers: await headers(),
      schema: answer,
      refuse: refusalOf,
    })
    const facts = new Map<string, TokenFacts>()
    for (const [address, fields] of Object.entries(result ?? {})) {
      const scalars = Object.entries(fields).filter(
        (field): field is [string, string] => typeof field[1] === 'string',
      )
      // An entry without a single field says no more than a missing one.
      if (scalars.length > 0) facts.set(address.toLowerCase(), Object.fromEntries(scalars))
    }
    return facts
  }

  return { batchSize: key === null ? 1 : 100, tokenFacts }
}

export type GoPlus = ReturnType<typeof createGoPlus>

const envelope = z.object({ code: z.coerce.number(), message: z.string().nullish() })

/** 2: only part of the data is there yet; 4029: too many requests; 5000 and above: its own trouble. */
function refusalOf(body: unknown): Refusal | null {
  const parsed = envelope.safeParse(body)
  // An answer without a code is none of its own.
  if (!parsed.success) return { reason: 'an answer without a code', later: true }
  const { code, message } = parsed.data
  if (code === 1) return null
  return {
    reason: `code ${code}: ${(message ?? '').slice(0, 200)}`,
    later: code === 2 || code === 4029 || code >= 5000,
  }
}
