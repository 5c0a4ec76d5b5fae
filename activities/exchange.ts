import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type Dispatcher, request as send } from 'undici'
import { decodeText } from './decode-text.ts'
import { SourceRejected, SourceUnavailable } from './errors.ts'
import type { Answer } from './http-client.ts'

interface ExchangeOptions {
  source: string
  url: string
  headers?: Record<string, string>
  /** Sent as JSON. `text` is sent unchanged. */
  body?: unknown
  text?: string
  /** Default: POST with a body, else GET. */
  method?: string
  /** hex: the text of the answer is its bytes in hexadecimal digits */
  as?: 'hex'
  agent: Dispatcher
  deadlineMs: number
  maxBytes: number
}

/**
 * Sends one request and returns the whole answer as text. Follows no redirects. Throws SourceUnavailable, or
 * SourceRejected above `maxBytes`.
 */
export async function exchange(options: ExchangeOptions): Promise<Answer> {
  const { source, url, body, agent, deadlineMs, maxBytes } = options
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const response = await send(url, {
      dispatcher: agent,
      method: options.method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': 'sluice',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body: options.text ?? (body === undefined ? null : JSON.stringify(body)),
      signal,
    })
    const headers = flatten(response.headers)
    // A 304 has no body but may still name the encoding of the omitted one.
    const encoding = response.statusCode === 304 ? undefined : headers['content-encoding']
    const bytes = await readBytes(response.body, { encoding, maxBytes, signal })
    const text = options.as === 'hex' ? bytes.toString('hex') : decodeText(bytes, headers['content-type'])
    return { status: response.statusCode, headers, text }
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new SourceRejected(source, `answer is over ${maxBytes} bytes`)
    if (signal.aborted) throw new SourceUnavailable(source, `no complete answer within ${deadlineMs} ms`)
    throw new SourceUnavailable(source, error instanceof Error ? error.message : String(error))
  }
}

class BodyTooLarge extends Error {}

interface ReadOptions {
  encoding: string | undefined
  maxBytes: number
  signal: AbortSignal
}

/** Counts bytes after decompression, so that a small body cannot unpack into a huge one. */
async function readBytes(body: Readable, { encoding, maxBytes, signal }: ReadOptions): Promise<Buffer> {
  const decoder = decoderOf(encoding)
  const decoded = decoder ? body.pipe(decoder) : body
  if (decoder) {
    body.once('error', (error) => decoder.destroy(error))
    signal.addEventListener('abort', () => decoder.destroy(new Error('deadline')), { once: true })
  }
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new BodyTooLarge()
      chunks.push(chunk)
    }
  } finally {
    if (!body.destroyed) body.destroy()
  }
  return Buffer.concat(chunks)
}

function decoderOf(encoding: string | undefined) {
  switch (encoding) {
    case 'gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      return null
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}
