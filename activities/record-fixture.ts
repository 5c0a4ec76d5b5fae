import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../ops/settings/make-folder.ts'
import type { Answer } from './http-client.ts'
import type { SourceRequest } from './http-client.ts'

/** A recorded answer, as test/setup/replay.ts serves it. Keys and request headers are not recorded. */
export interface Fixture {
  source: string
  method: 'GET' | 'POST'
  /** Path and query below the origin. */
  path: string
  body?: unknown
  status: number
  contentType: string
  text: string
}

const SECRET_PARAMETERS = ['apikey', 'api_key', 'api-key', 'x_cg_demo_api_key']

/** Record mode of the HTTP client: writes each answer to `<folder>/<source>-<hash of the request>.json`. */
export function recordFixtures(folder: string) {
  return async (
    request: Pick<SourceRequest<unknown>, 'source' | 'url' | 'body'>,
    answer: Answer,
  ): Promise<void> => {
    const url = new URL(request.url)
    for (const name of SECRET_PARAMETERS) url.searchParams.delete(name)
    const fixture: Fixture = {
      source: request.source,
      method: request.body === undefined ? 'GET' : 'POST',
      path: url.pathname + url.search,
      ...(request.body !== undefined && { body: request.body }),
      status: answer.status,
      contentType: answer.headers['content-type'] ?? 'application/json',
      text: answer.text,
    }
    const hash = createHash('sha256')
      .update(`${fixture.path} ${JSON.stringify(fixture.body)}`)
      .digest('hex')
    await makeFolder(folder)
    const file = join(folder, `${fixture.source}-${hash.slice(0, 16)}.json`)
    await writeFile(file, `${JSON.stringify(fixture, null, 2)}\n`)
  }
}
