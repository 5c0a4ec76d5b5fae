import { createHash } from 'node:crypto'
import { z } from 'zod'
import { networkOfBlockchain } from '../../../db/values/networks.ts'
import { SourceRejected } from '../../errors.ts'
import type { HttpClient, Refusal } from '../../http-client.ts'

export const GOPLUS = 'goplus'

/** The text fields of one token. "" and a missing field both mean unknown. */
export type TokenFacts = Record<string, string>

const answer = z.object({ result: z.record(z.string(), z.record(z.string(), z.unknown())).nullish() })
const grant = z.object({ result: z.object({ access_token: z.string().min(1), expires_in: z.number() }) })

/** Renew the access token early: a token in its last minute might expire on the way. */
const SPARE_MS = 60_000

/**
 * Client of GoPlus' token security API. A call takes one address without a key and 100 with `<app key>:<app
 * secret>`. Answers are keyed by address in lower case and omit tokens that are not indexed.
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

  /** Facts by address in lower case, for at most `batchSize` addresses. Unknown tokens are left out. */
  async function tokenFacts(request: {
    blockchain: string
    addresses: readonly string[]
  }): Promise<Map<string, TokenFacts>> {
    const chainId = networkOfBlockchain(request.blockchain)?.chainId ?? null
    if (chainId === null) throw new SourceRejected(GOPLUS, `no network ${request.blockchain}`)
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
      // Treat an entry without text fields like a missing one.
      if (scalars.length > 0) facts.set(address.toLowerCase(), Object.fromEntries(scalars))
    }
    return facts
  }

  return { batchSize: key === null ? 1 : 100, tokenFacts }
}

export type GoPlus = ReturnType<typeof createGoPlus>

const envelope = z.object({ code: z.coerce.number(), message: z.string().nullish() })

/**
 * 1: complete; 2: some facts are missing, which are unknown like any that it does not state; 4028, 4029: too
 * many requests; 5000 and above: server error. All come with status 200.
 */
function refusalOf(body: unknown): Refusal | null {
  const parsed = envelope.safeParse(body)
  // GoPlus' own answers have a code, so this one comes from something in between.
  if (!parsed.success) return { reason: 'the answer has no code', later: true }
  const { code, message } = parsed.data
  if (code === 1 || code === 2) return null
  return {
    reason: `code ${code}: ${(message ?? '').slice(0, 200)}`,
    later: code === 4028 || code === 4029 || code >= 5000,
  }
}
