import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathWithoutKeys } from '../../activities/hide-secrets.ts'
import type { Fixture } from '../../activities/record-fixture.ts'

/** Reads all fixtures of a folder, as written by the record mode of the HTTP client (RECORD_DIR). */
export async function readFixtures(folder: string): Promise<Fixture[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Fixture),
  )
}

/**
 * Serves recorded answers on a free port, by method, path, query (in any order, without keys) and body. Everything
 * else gets 404. Close it after the test.
 */
export async function startReplay(fixtures: readonly Fixture[]): Promise<{ url: string; close: () => void }> {
  const answers = new Map(fixtures.map((fixture) => [keyOf(fixture), fixture]))
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      const fixture = answers.get(keyOf({ method: request.method ?? 'GET', path: request.url ?? '/', body }))
      response.writeHead(fixture?.status ?? 404, {
        'content-type': fixture?.contentType ?? 'application/json',
      })
      response.end(fixture?.text ?? '{"error":"no such fixture"}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function keyOf({ method, path, body }: { method: string; path: string; body?: unknown }): string {
  const url = new URL(pathWithoutKeys(new URL(path, 'http://replay')), 'http://replay')
  url.searchParams.sort()
  return `${method} ${url.pathname}?${url.searchParams.toString()} ${JSON.stringify(body)}`
}
