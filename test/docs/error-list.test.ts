import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_STATUSES } from '../../api/error-catalogue.ts'
import { ROOT, readPage } from './read-page.ts'

// The catalogue of errors and the list in docs/consumer.md are those of the code.

const files = globSync(['api/**/*.ts', 'gateway/**/*.ts'], { cwd: ROOT, exclude: ['api/error-catalogue.ts'] })
const code = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n')

/** `Coin with id '${coinId}' not found` and `Coin with id '<id>' not found` are one message. */
const comparable = (status: string, message: string) =>
  `${status} ${message.replace(/\$\{[^}]*\}|<\w+>/g, '<>')}`

function inCode(): string[] {
  const quoted = String.raw`(?<quote>['\x60])(?<message>.*?)\k<quote>`
  const found = (pattern: string, status?: string) =>
    [...code.matchAll(new RegExp(pattern + quoted, 'g'))].map(({ groups }) =>
      comparable(status ?? groups!['status']!, groups!['message']!),
    )
  return [
    ...found(String.raw`\bbadRequest(?: = )?\((?:message = )?`, '400'),
    ...found(String.raw`\bnotFound(?: = )?\((?:message = )?`, '404'),
    ...found(String.raw`\b(?:new ApiError|shareError)\((?<status>\d+), `),
  ]
}

function inDocs(): string[] {
  const [, section] = readPage('docs/consumer.md').split('### All errors')
  return [...section!.split('\n## ')[0]!.matchAll(/^\| (\d+) +\| (.*) \|$/gm)].flatMap(([, status, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)]
      .map(([, message]) => message!)
      // The field of a challenge.
      .filter((message) => message !== 'error')
      .map((message) => comparable(status!, message)),
  )
}

const catalogued = ERROR_STATUSES.flatMap(({ status, errors }) =>
  errors.map(({ message }) => comparable(String(status), message)),
)

test('the catalogue has every message of the code, and nothing else', () => {
  // Made from other parts: a malformed id, and the challenge.
  const others = [comparable('404', 'Invalid parameter: <name>. <Reason>'), '402 Payment required']
  expect(catalogued.toSorted()).toEqual([...new Set([...inCode(), ...others])].toSorted())
  expect(code).toContain("NO_PAYMENT = 'Payment required'")
})

test('docs/consumer.md has the messages of the catalogue', () => {
  expect([...new Set(inDocs())].toSorted()).toEqual(catalogued.toSorted())
})
