import type { ToolRequest } from './tool-request.ts'

const TIMEOUT_MS = 60_000
/** Headers of an answer that are passed on. */
const TOLD = [
  'x-request-id',
  'x-credits-cost',
  'x-credits-remaining',
  'x-data-as-of',
  'x-price-as-of',
  'x-hidden-spam',
  'x-hidden-dust',
  'x-data-source',
  'x-sync-status',
  'x-sync-pending',
]

/** What the API answered. */
export interface ApiAnswer {
  isOk: boolean
  /** the JSON of the answer, also of an error */
  body: unknown
  /** seconds until another try may succeed; null: waiting does not help */
  waitS: string | null
  /** headers that tell cost, age and request */
  told: Readonly<Record<string, string>>
}

/** Sends a request to the API. `target`: path below /v1, with the query. */
export type Send = (
  target: string,
  init: { headers: Headers; signal: AbortSignal },
) => Promise<Pick<Response, 'ok' | 'status' | 'headers' | 'text'>>

/** `url`: address of the API, with /v1. */
export const sendTo =
  (url: string): Send =>
  (target, init) =>
    // A redirect could send the key to another server.
    fetch(url + target, { ...init, redirect: 'error' })

/** Asks the API. A text: no usable answer came, and why. */
export async function callApi(options: {
  send: Send
  request: ToolRequest
  credentials: Record<string, string>
  signal: AbortSignal
}): Promise<ApiAnswer | string> {
  const { send, request, credentials, signal } = options
  for (const [name, value] of Object.entries(credentials)) request.headers.set(name, value)
  // The tools may describe another version of the API: a parameter that it does not have is an error.
  request.headers.set('prefer', 'handling=strict')
  let response: Awaited<ReturnType<Send>>
  let text: string
  try {
    response = await send(request.target, {
      headers: request.headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    text = await response.text()
  } catch {
    return 'The API does not answer'
  }
  const body = parsed(text)
  if (body === undefined) return `The API sent no usable answer: status ${response.status}`
  const told = TOLD.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return {
    isOk: response.ok,
    body,
    waitS: response.headers.get('retry-after'),
    told: Object.fromEntries(told) as Record<string, string>,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
