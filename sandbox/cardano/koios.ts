import type { Upstream, UpstreamReply } from '../upstream.ts'
import { createAnswers } from './koios-answers.ts'
import type { CardanoChain } from './ledger.ts'
import { pageOf, refused, type Row } from './postgrest.ts'

/** Bytes of a body, without a token and with one. */
const mostBytes = { public: 1_000, registered: 5_000 }
/** What PostgREST takes beside the arguments of a function. */
const reserved = new Set(['select', 'order', 'limit', 'offset', 'and'])

export type Arguments = Record<string, unknown>
/** A function of the database. `get`: it does not change and may be called by GET; else POST with a body. */
export type Answer = {
  method: 'GET' | 'POST'
  /** `?`: may be left out */
  takes: readonly string[]
  columns: readonly string[]
  rows: (args: Arguments, query: URLSearchParams) => Row[]
}

/** Koios: functions of a database behind PostgREST, with the limits of its public and registered tiers. */
export function createKoios(chainNow: () => CardanoChain): Upstream {
  return ({ method, path, query, headers, bodyText, now }): UpstreamReply => {
    const [api, version, name, ...rest] = path
    const chain = chainNow()
    const answers = createAnswers(chain, chain.tipAt(now))
    const answer = api === 'api' && version === 'v1' && rest.length === 0 ? answers[name ?? ''] : undefined
    if (!answer) return { status: 404, body: '404 Not Found', headers: { 'content-type': 'text/html' } }
    const authorization = headers['authorization']
    if (authorization !== undefined && !/^Bearer \S+$/.test(authorization))
      return { status: 401, body: { code: 'PGRST301', details: null, hint: null, message: 'JWSError' } }
    const most = authorization === undefined ? mostBytes.public : mostBytes.registered
    if (Buffer.byteLength(bodyText) > most)
      return { status: 413, body: '413 Payload Too Large', headers: { 'content-type': 'text/html' } }
    if (method !== answer.method) return { status: 405, body: refused('PGRST101', `${method} not allowed`) }
    const args = argumentsOf(answer, { query, bodyText })
    if (args === null)
      return {
        status: 404,
        body: refused('PGRST202', `Could not find the function grest.${name} with these parameters`),
      }
    try {
      const columns = new URLSearchParams([...query].filter(([key]) => !namesOf(answer).includes(key)))
      return pageOf(answer.rows(args, query), { columns: answer.columns, query: columns, reserved })
    } catch (error) {
      // As Postgres does with what is not hexadecimal or bech32.
      return { status: 400, body: refused('22P02', String(error)) }
    }
  }
}

const namesOf = ({ takes }: Answer): string[] => takes.map((one) => one.replace('?', ''))

/** null: one is missing, or unknown */
function argumentsOf(
  answer: Answer,
  { query, bodyText }: { query: URLSearchParams; bodyText: string },
): Arguments | null {
  const { method, takes } = answer
  const names = namesOf(answer)
  const given: Arguments =
    method === 'POST'
      ? (JSON.parse(bodyText || '{}') as Arguments)
      : Object.fromEntries([...query].filter(([key]) => names.includes(key)))
  const isKnown = Object.keys(given).every((key) => names.includes(key))
  const isWhole = takes.every((one) => one.endsWith('?') || given[one] !== undefined)
  return isKnown && isWhole ? given : null
}
