import { type RuledDouble, startRuled } from '../prices/ruled.ts'

const ETAG = '"v1"'

export interface FeedDouble extends RuledDouble {
  state: { isDead: boolean }
}

/** Row 47: a publisher's feed. */
export async function startFeed(): Promise<FeedDouble> {
  const state = { isDead: false }
  const server = await startRuled(
    [
      {
        row: 47,
        refuse: ({ headers }) =>
          headers['user-agent']
            ? null
            : { status: 403, headers: { 'content-type': 'text/html' }, body: 'Forbidden' },
      },
      {
        row: 47,
        refuse: () =>
          state.isDead
            ? {
                headers: { 'content-type': 'text/html' },
                body: '<!doctype html><html><body>Home</body></html>',
              }
            : null,
      },
      {
        row: 47,
        refuse: ({ path }) =>
          path.endsWith('/') ? { status: 308, headers: { location: path.slice(0, -1) }, body: '' } : null,
      },
      {
        row: 47,
        refuse: ({ headers }) => (headers['if-none-match'] === ETAG ? { status: 304, body: '' } : null),
      },
    ],
    () => ({
      headers: { 'content-type': 'application/rss+xml', etag: ETAG },
      body: `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>One</title>
        <link>https://example.org/one</link><guid>one</guid><pubDate>Mon, 02 Nov 2026 08:00:00 GMT</pubDate></item></channel></rss>`,
    }),
  )
  return { ...server, state }
}
