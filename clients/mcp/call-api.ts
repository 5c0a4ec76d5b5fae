import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ToolRequest } from './tool-request.ts'

const TIMEOUT_MS = 60_000
/** Headers of an answer that are passed on. */
const TOLD = [
  'x-request-id',
  'x-credits-cost',
  'x-credits-remaining',
  'x-data-as-of',
  'x-price-as-of',
  'x-data-source',
  'x-sync-status',
  'x-sync-pending',
]

/**
 * Calls the API and passes on its answer: the body as text and as structured content, and an API error as a
 * tool error, with the time to wait if waiting helps. `_meta` contains the headers.
 */
export async function callApi(options: {
  /** Address of the API, with /v1. */
  url: string
  request: ToolRequest
  credentials: Record<string, string>
  signal: AbortSignal
}): Promise<CallToolResult> {
  const { url, request, credentials, signal } = options
  for (const [name, value] of Object.entries(credentials)) request.headers.set(name, value)
  // The tools may describe another version of the API: a parameter that it does not have is an error.
  request.headers.set('prefer', 'handling=strict')
  let response: Response
  let text: string
  try {
    response = await fetch(url + request.target, {
      headers: request.headers,
      // A redirect could send the key to another server.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    text = await response.text()
  } catch {
    return failure('The API does not answer')
  }
  const body = parsed(text)
  if (body === undefined) return failure(`The API sent no usable answer: status ${response.status}`)
  const told = TOLD.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  const waitS = response.headers.get('retry-after')
  return {
    content: [
      { type: 'text', text },
      ...(waitS === null ? [] : [{ type: 'text' as const, text: `Retry after ${waitS} seconds` }]),
    ],
    structuredContent: body,
    ...(!response.ok && { isError: true }),
    _meta: Object.fromEntries(told),
  }
}

export const failure = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
