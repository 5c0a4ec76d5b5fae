import { Agent, request } from 'undici'
import { type AllowedHosts, webhookUrlRefusal } from '../../db/values/webhook-url.ts'
import { publicLookup, type Resolve } from '../public-lookup.ts'
import { retryAfterMs } from '../retry-after.ts'

/** What became of one attempt. */
export interface Receipt {
  /** null: no answer came. */
  status: number | null
  /** Why it failed; null: it was delivered. */
  failure: string | null
  retryAfterMs: number | null
  /** Milliseconds until the status. */
  ms: number
}

export interface WebhookSender {
  send: (message: { url: string; headers: Record<string, string>; body: string }) => Promise<Receipt>
  close: () => Promise<void>
}

const MAX_ANSWER_BYTES = 4_096

/**
 * Sends events to receivers that accounts named. The worker stands in a network that they may not see, so only
 * public addresses are reached, except `allowed` hosts. Follows no redirects, knows no proxy and no cookies.
 */
export function createWebhookSender(options: {
  allowed: AllowedHosts
  resolve: Resolve
  /** Limit of one attempt, from resolving the name to the status. */
  deadlineMs?: number
}): WebhookSender {
  const { allowed, resolve, deadlineMs = 15_000 } = options
  const limits = { connections: 4, allowH2: false }
  const anywhere = new Agent({ ...limits, connect: { timeout: deadlineMs } })
  const inPublic = new Agent({
    ...limits,
    connect: { timeout: deadlineMs, lookup: publicLookup(resolve) },
  })

  return {
    async send({ url, headers, body }) {
      const startedMs = performance.now()
      const failed = (failure: string) => ({
        status: null,
        failure,
        retryAfterMs: null,
        ms: Math.round(performance.now() - startedMs),
      })
      // Node connects to an address in a URL without a look-up.
      const refusal = webhookUrlRefusal(url, allowed)
      if (refusal !== null) return failed(`this URL is not allowed: ${refusal}`)
      const signal = AbortSignal.timeout(deadlineMs)
      try {
        const response = await request(url, {
          dispatcher: allowed.has(new URL(url).host) ? anywhere : inPublic,
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': 'sluice', ...headers },
          body,
          signal,
        })
        // Only the status counts. A short rest is read, so that the connection can be used again.
        void response.body.dump({ limit: MAX_ANSWER_BYTES, signal }).catch(() => {})
        return { ...outcomeOf(response), ms: Math.round(performance.now() - startedMs) }
      } catch (error) {
        if (signal.aborted) return failed(`no answer within ${deadlineMs / 1000} seconds`)
        return failed(messageOf(error))
      }
    },
    async close() {
      await Promise.all([anywhere.close(), inPublic.close()])
    },
  }
}

function outcomeOf(response: {
  statusCode: number
  headers: Record<string, string | string[] | undefined>
}): Omit<Receipt, 'ms'> {
  const { statusCode: status, headers } = response
  const wait = headers['retry-after']
  return {
    status,
    failure: status >= 200 && status <= 299 ? null : `status ${status}`,
    retryAfterMs: typeof wait === 'string' ? retryAfterMs({ 'retry-after': wait }, Date.now()) : null,
  }
}

/** The code of a system's error says enough, and its message contains addresses. */
function messageOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return typeof code === 'string' ? `no connection (${code})` : String(message)
}
