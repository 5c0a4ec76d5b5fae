import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../ops/settings/make-folder.ts'
import { hideSecrets, pathWithoutKeys, secretsOf } from './hide-secrets.ts'
import type { Answer, SourceRequest } from './http-client.ts'

/** A recorded answer, as test/setup/replay.ts serves it. Keys and headers of requests are not recorded. */
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

/** An answer and what it answers, as the HTTP client has them. */
export interface Exchanged {
  request: Pick<SourceRequest<unknown>, 'source' | 'url' | 'body' | 'headers' | 'secret' | 'operation'>
  answer: Answer
  /** The URL of the source as it is set, which may hold a key. */
  configured: string
}

/** A recording of an answer without the keys of the installation, wherever they stand. */
export function fixtureOf({ request, answer, configured }: Exchanged): Fixture {
  const { source, url, body } = request
  const secrets = secretsOf(request, configured)
  return {
    source,
    method: body === undefined ? 'GET' : 'POST',
    path: hideSecrets(pathWithoutKeys(url), secrets),
    ...(body !== undefined && { body: JSON.parse(hideSecrets(JSON.stringify(body), secrets)) as unknown }),
    status: answer.status,
    contentType: answer.headers['content-type'] ?? 'application/json',
    text: hideSecrets(answer.text, secrets),
  }
}

/**
 * Record mode of the HTTP client: writes each answer to `<folder>/<source>-<hash of the request>.json`. `hide`: changes
 * what else must not be in a recording.
 */
export function recordFixtures(folder: string, hide: (text: string) => string = (text) => text) {
  return (exchanged: Exchanged): Promise<unknown> =>
    writeFixture(folder, JSON.parse(hide(JSON.stringify(fixtureOf(exchanged)))) as Fixture)
}

/** Writes a recording below a folder, and returns the name of its file. */
export async function writeFixture(folder: string, fixture: Fixture): Promise<string> {
  const hash = createHash('sha256')
    .update(`${fixture.path} ${JSON.stringify(fixture.body)}`)
    .digest('hex')
  const file = join(folder, `${fixture.source}-${hash.slice(0, 16)}.json`)
  await makeFolder(folder)
  await writeFile(file, `${JSON.stringify(fixture, null, 2)}\n`)
  return file
}
