import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createHttpClient } from '../../activities/http.ts'
import { readFeed } from '../../activities/news/sources/feed.ts'
import { realdata } from '../setup/realdata.ts'

const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }

describe.skipIf(realdata === null)('recorded feeds read by the adapter', async () => {
  if (realdata === null) return
  const folder = join(realdata, 'feeds/feed-rs/fixture')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.xml'),
  )
  // Serve the raw bytes: some are not UTF-8, which only the XML declaration says.
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/xml', etag: '"1"' })
    response.end(readFileSync(join(folder, decodeURIComponent(request.url!.slice(1)))))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const http = createHttpClient({ gate: OPEN_GATE, sources: { wire: { url } }, random: () => 0 })
  const now = () => new Date('2026-11-21T00:00:00Z')
  const validators = { etag: null, lastModified: null }
  const read = (file: string) =>
    readFeed({ http, now }, { source: 'wire', url: `${url}/${file}`, validators })
  afterAll(async () => {
    await http.close()
    server.close()
  })

  /** Counts items in the text, without a parser. */
  const itemsIn = (file: string) =>
    readFileSync(join(folder, file), 'latin1').match(/<(item|entry)[\s>]/g)?.length ?? 0
  /** Number and reason of quarantined items by file. Items of other files are all read. */
  const REFUSED: Record<string, [number, string]> = {
    'atom/atom_entry_1.xml': [1, 'no link'],
    'atom/atom_example_7.xml': [1, 'no link'],
    'atom/atom_pub_spec_1.xml': [1, 'no link'],
    'rss0/rss_0.91_missing_id.xml': [1, 'no link'],
    'rss0/rss_0.92_spec_1.xml': [3, 'no link'],
    'rss2/rss_2.0_ghost_1.xml': [1, 'no link'],
  }
  const BROKEN = 'rss2/rss_2.0_invalid_1.xml'

  test('the fixtures are 55 files with 87 items', () => {
    expect(files).toHaveLength(55)
    expect(files.reduce((sum, file) => sum + itemsIn(file), 0)).toBe(87)
  })

  test.each(files.filter((file) => file !== BROKEN))('%s: loses no item and invents none', async (file) => {
    const answer = (await read(file))!
    const [quarantined = 0, reason] = REFUSED[file] ?? []
    expect(answer.quarantined.map((row) => row.reason)).toEqual(
      Array.from({ length: quarantined }, () => reason),
    )
    expect(answer.repeated).toBe(0)
    expect(answer.items).toHaveLength(itemsIn(file) - quarantined)
    for (const item of answer.items) {
      expect(item.link).toMatch(/^https?:\/\//)
      expect(item.title).not.toBe('')
      expect(`${item.title} ${item.summary}`).not.toMatch(/<[a-z!/?]|\uFFFD|\s\s/i)
    }
  })

  test('an incomplete feed is unavailable', async () => {
    await expect(read(BROKEN)).rejects.toMatchObject({ name: 'SourceUnavailable' })
  })

  test.each([
    ['rss2/rss_2.0_ilmessaggero.xml', '2022-11-15T23:38:15.000Z'],
    ['rss2/rss_2.0_nbcny.xml', '2023-12-16T14:02:33.000Z'],
    ['rss2/rss_2.0_example_2.xml', '2019-08-01T20:15:00.000Z'],
    ['rss2/rss_2.0_example_6.xml', '2020-02-06T08:00:00.000Z'],
    ['rss2/rss_2.0_ilgiornale.xml', '2022-11-15T20:15:04.000Z'],
    ['rss2/rss_2.0_dbengines.xml', '2023-01-03T15:00:00.000Z'],
    ['atom/atom_example_1.xml', '2003-12-13T12:29:29.000Z'],
  ])('%s: reads the unusual date', async (file, date) => {
    expect((await read(file))!.items[0]!.publishedAt?.toISOString()).toBe(date)
  })

  test.each([
    ['rss2/rss_2.0_cloudflare.xml', 'https://blog.cloudflare.com/content/images/2021/10/image6-15.png'],
    [
      'rss2/rss_2.0_ilmessaggero.xml',
      'https://www.ilmessaggero.it/photos/MED/48/69/7054869_16003922_missili_polonia_1_.jpg',
    ],
    ['atom/atom_mediarss_youtube_1.xml', 'https://i1.ytimg.com/vi/0A1ouV7iD8o/hqdefault.jpg'],
    ['rss2/rss_2.0_relurl_2.xml', 'https://kryogenix.org/images/me/hackergotchi-simpler.png'],
    ['rss2/rss_2.0_spiegel.xml', /image\.jpg\?t=1589902935&size=Large$/],
    ['rss2/rss_2.0_vimeo_media.xml', /^https:\/\/i\.vimeocdn\.com\/video\/1931613648/],
    ['rss2/rss_2.0_ilgiornale.xml', /1664568527-schermata/],
    ['rss2/rss_2.0_dbengines.xml', null],
  ])('%s: finds the picture', async (file, picture) => {
    const found = (await read(file))!.items[0]!.imageUrl
    if (picture instanceof RegExp) expect(found).toMatch(picture)
    else expect(found).toBe(picture)
  })

  test('reads other character sets, undeclared entities and links behind click counters', async () => {
    expect((await read('rss0/rss_0.91_encoding_1.xml'))!.items[0]!.title).toBe(
      'bash - Expansão de Parâmetros',
    )
    expect((await read('rss2/rss_2.0_dbengines.xml'))!.items[0]!.summary).toContain(
      'in our DB-Engines Ranking within',
    )
    expect((await read('rss2/rss_2.0_rps.xml'))!.items[0]!.link).toBe(
      'https://www.rockpapershotgun.com/the-sunday-papers-607',
    )
  })
})
