import { setTimeout as sleep } from 'node:timers/promises'
import { createJsonClient } from '../settlement/json-client.ts'

/** Returns the result of a JSON-RPC call. Throws the node's error, or the reason why there is no answer. */
export type ChainRpc = (method: string, params: readonly unknown[]) => Promise<unknown>

const DEADLINE_MS = 5_000
const PAUSE_MS = 150
const MAX_BYTES = 10 * 1024 * 1024

/** Calls a node, with one retry if it does not answer. */
export function createChainRpc(rpcUrl: string): ChainRpc {
  const { origin, pathname, search, username, password } = new URL(rpcUrl)
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  const client = createJsonClient({
    origin,
    connectDeadlineMs: DEADLINE_MS,
    maxBytes: MAX_BYTES,
    ...(username && { headers: { authorization: `Basic ${login.toString('base64')}` } }),
  })

  async function ask(body: string): Promise<{ result?: unknown; error?: { message: string; code: number } }> {
    const { status, json } = await client.ask({
      path: pathname + search,
      body,
      deadlineMs: DEADLINE_MS,
    })
    if (status >= 500 || status === 429 || typeof json !== 'object' || json === null)
      throw new Error(`the node returned status ${status}`)
    return json
  }

  return async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const { result, error } = await ask(body).catch(async () => {
      await sleep(PAUSE_MS)
      return ask(body)
    })
    if (error) throw Object.assign(new Error(error.message), { code: error.code })
    if (result === undefined) throw new Error('the node returned no result')
    return result
  }
}
