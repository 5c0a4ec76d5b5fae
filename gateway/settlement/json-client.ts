import { Pool } from 'undici'

export interface JsonAnswer {
  status: number
  json: unknown
}

export interface JsonClient {
  /** Sends a POST if there is a body, else a GET. Throws if there is no JSON answer. Follows no redirects. */
  ask: (asked: { path: string; body?: string; deadlineMs: number }) => Promise<JsonAnswer>
  close: () => Promise<void>
}

interface JsonClientOptions {
  origin: string
  /** Sent in addition to the JSON headers. */
  headers?: Record<string, string>
  connectDeadlineMs: number
  /** A longer answer is an error. */
  maxBytes: number
}

/**
 * Calls one server, with one connection per concurrent request. Uses a handler instead of undici's `request`,
 * whose streams and signals take half of the time of a call to a nearby server.
 */
export function createJsonClient(options: JsonClientOptions): JsonClient {
  const { origin, connectDeadlineMs, maxBytes } = options
  const pool = new Pool(origin, { connect: { timeout: connectDeadlineMs } })
  const headers = { accept: 'application/json', ...options.headers }
  const postHeaders = { ...headers, 'content-type': 'application/json' }

  const ask: JsonClient['ask'] = ({ path, body, deadlineMs }) =>
    new Promise((resolve, reject) => {
      let abort: ((reason: Error) => void) | undefined
      let late: Error | undefined
      let status = 0
      let bytes = 0
      const chunks: Buffer[] = []
      const timer = setTimeout(() => {
        late = Object.assign(new Error('no answer in time'), { name: 'TimeoutError' })
        abort?.(late)
        reject(late)
      }, deadlineMs)
      function end(settle: () => void): void {
        clearTimeout(timer)
        settle()
      }
      pool.dispatch(
        body === undefined
          ? { path, method: 'GET', headers }
          : { path, method: 'POST', headers: postHeaders, body },
        {
          onRequestStart: (controller) => {
            abort = (reason) => controller.abort(reason)
            // The deadline passed while it waited for a connection.
            if (late) abort(late)
          },
          onResponseStart: (_controller, statusCode) => {
            status = statusCode
          },
          onResponseData: (controller, chunk) => {
            bytes += chunk.length
            if (bytes > maxBytes) controller.abort(new Error('answer_too_long'))
            else chunks.push(chunk)
          },
          onResponseEnd: () =>
            end(() => {
              try {
                if (status >= 300 && status < 400) throw new Error('redirect')
                resolve({ status, json: JSON.parse(Buffer.concat(chunks).toString('utf8')) })
              } catch (error) {
                reject(error as Error)
              }
            }),
          onResponseError: (_controller, error) => end(() => reject(error)),
        },
      )
    })

  return { ask, close: () => pool.destroy() }
}
