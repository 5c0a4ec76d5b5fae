import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { completeSecrets, createSecrets, readSecrets } from '../../cli/secrets.ts'
import { testPayer } from '../../cli/test-payer.ts'

let home: string
const file = () => join(home, 'secrets.json')
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sluice-secrets-'))
})
afterEach(() => rmSync(home, { recursive: true }))

test('a new installation has all secrets in a file that only its owner may read', () => {
  const secrets = createSecrets(home)
  expect(readSecrets(home)).toEqual(secrets)
  expect(
    Object.values(secrets)
      .flat()
      .filter((secret) => secret.length < 12),
  ).toEqual([])
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(testPayer(secrets).address).not.toBe(testPayer({ payerKey: secrets.facilitatorKey }).address)
})

test('an older installation gets the missing secrets and keeps the others', () => {
  const { facilitatorKey: _, payerKey: _key, ...older } = createSecrets(home)
  writeFileSync(file(), JSON.stringify(older))
  const complete = completeSecrets(home, readSecrets(home)!)
  expect(complete).toMatchObject(older)
  expect(complete.payerKey).toMatch(/^0x[0-9a-f]{64}$/)
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual(complete)
  expect(completeSecrets(home, complete)).toEqual(complete)
})
