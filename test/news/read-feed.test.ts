import { afterAll, expect, test } from 'vitest'
import { createHttpClient } from '../../activities/http.ts'
import { readFeed } from '../../activities/news/sources/feed.ts'
import { type Answer, startFaultyServer } from '../sources/faulty-server.ts'

const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
const server = await startFaultyServer()
const http = createHttpClient({ gate: OPEN_GATE, sources: { wire: { url: server.url } }, random: () => 0 })
afterAll(() => http.close())

const read = (validators = { etag: null as string | null, lastModified: null as string | null }) =>
  readFeed({ http, now: () => new Date() }, { source: 'wire', url: `${server.url}/feed`, validators })
const answer =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, headers)
    response.end(body)
  }
const FEED = '<rss><channel><item><title>T</title><link>https://wire.example/a</link></item></channel></rss>'

test('returns validators unchanged and sends them unchanged', async () => {
  server.play(
    answer(200, FEED, { etag: 'W/"x"', 'last-modified': 'Fri, 20 Nov 2026 14:03:11 GMT' }),
    answer(304, '', { 'content-encoding': 'gzip' }),
  )
  const first = await read()
  expect(first).toMatchObject({ etag: 'W/"x"', lastModified: 'Fri, 20 Nov 2026 14:03:11 GMT' })
  expect(await read({ etag: first!.etag, lastModified: first!.lastModified })).toBeNull()
  expect(
    server.requests.map(({ headers }) => [headers['if-none-match'], headers['if-modified-since']]),
  ).toEqual([
    [undefined, undefined],
    ['W/"x"', 'Fri, 20 Nov 2026 14:03:11 GMT'],
  ])
})

test('follows a redirect on the same site with its validators; a redirect to another site fails', async () => {
  server.play(answer(308, '', { location: '/rss' }), answer(200, FEED))
  expect((await read({ etag: '"1"', lastModified: null }))!.items).toHaveLength(1)
  expect(server.requests.map(({ url, headers }) => [url, headers['if-none-match']])).toEqual([
    ['/feed', '"1"'],
    ['/rss', '"1"'],
  ])
  server.play(answer(301, '', { location: 'https://elsewhere.example/rss' }))
  await expect(read()).rejects.toThrow('it has moved to https://elsewhere.example/rss')
  server.play(answer(302, '', { location: 'http://169.254.169.254/latest' }))
  await expect(read()).rejects.toThrow('it has moved to')
})

test('stops at circular redirects', async () => {
  server.play(answer(302, '', { location: '/feed' }))
  await expect(read()).rejects.toThrow('too many redirects')
})

test.each([
  [
    'a page with status 200',
    answer(200, '<!DOCTYPE html><p>parked', { 'content-type': 'text/html' }),
    /text\/html: no feed/,
  ],
  ['an empty answer', answer(200, ''), /no feed/],
  ['half of a feed', answer(200, FEED.slice(0, 60)), /breaks off/],
  ['status 410', answer(410, 'gone'), /status 410: gone/],
  ['status 403', answer(403, '<html>'), /status 403/],
  ['a redirect to nowhere', answer(302, ''), /without a new address/],
])('%s makes the feed unavailable', async (_name, fault, reason) => {
  server.play(fault)
  await expect(read()).rejects.toMatchObject({
    name: 'SourceUnavailable',
    message: expect.stringMatching(reason),
  })
})

test('reads a feed in another character set', async () => {
  const latin = FEED.replace('<rss>', '<?xml version="1.0" encoding="ISO-8859-1"?><rss>').replace(
    '>T<',
    '>Año<',
  )
  server.play((_request, response) => response.writeHead(200).end(Buffer.from(latin, 'latin1')))
  expect((await read())!.items[0]!.title).toBe('Año')
})
