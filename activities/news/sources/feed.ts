import type { HttpClient } from '../../http-client.ts'
import { SourceUnavailable } from '../../errors.ts'
import type { Answer } from '../../http-client.ts'
import { type FeedDocument, parseFeed } from './parse-feed.ts'

/** Validators of an answer, which make the next request conditional. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

/** null: the feed has not changed since the validators. */
export type FeedAnswer = (FeedDocument & Validators) | null

interface FeedRequest {
  source: string
  /** URL of the feed. */
  url: string
  validators: Validators
}

/** Bot filters of publishers check the user agent and Accept together. */
const HEADERS = {
  'user-agent': 'Sluice/0.1 (RSS reader)',
  accept:
    'application/rss+xml, application/atom+xml, application/rdf+xml;q=0.9, application/xml;q=0.8, text/xml;q=0.8, */*;q=0.1',
}
const MOST_REDIRECTS = 3

/**
 * Reads one feed if it has changed. Throws SourceUnavailable for any answer that is no feed (a page with
 * status 200, a challenge, half a feed): the URL was a feed before and may be one again.
 */
export async function readFeed(
  { http, now }: { http: HttpClient; now: () => Date },
  { source, url, validators }: FeedRequest,
): Promise<FeedAnswer> {
  const headers = {
    ...HEADERS,
    ...(validators.etag !== null && { 'if-none-match': validators.etag }),
    ...(validators.lastModified !== null && { 'if-modified-since': validators.lastModified }),
  }
  let address = url
  for (let redirects = 0; ; redirects++) {
    const asked = address
    const read = (answer: Answer) => readAnswer(answer, { source, url: asked, now: now() })
    const answer = await http.fetchText({ source, url: asked, headers, read })
    if (answer === null || !('location' in answer)) return answer
    if (redirects === MOST_REDIRECTS) throw new SourceUnavailable(source, 'too many redirects')
    address = answer.location
  }
}

function readAnswer(
  { status, headers, text }: Answer,
  context: { source: string; url: string; now: Date },
): FeedAnswer | { location: string } {
  const { source, url } = context
  const unavailable = (reason: string) => new SourceUnavailable(source, reason)
  if (status === 304) return null
  if (status >= 301 && status <= 308) {
    const location = headers['location'] ? URL.parse(headers['location'], url) : null
    if (!location) throw unavailable(`status ${status} without a new address`)
    if (location.origin !== new URL(url).origin) throw unavailable(`it has moved to ${location.href}`)
    return { location: location.href }
  }
  if (status !== 200) throw unavailable(`status ${status}: ${text.trim().slice(0, 80)}`)
  try {
    const document = parseFeed(text, context)
    return {
      ...document,
      etag: headers['etag'] ?? null,
      lastModified: headers['last-modified'] ?? null,
    }
  } catch (error) {
    const kind = headers['content-type'] ?? 'no type'
    throw unavailable(`${kind}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
