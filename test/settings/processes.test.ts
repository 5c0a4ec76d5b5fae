import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BARE_ENVIRONMENT } from '../setup/bare-environment.ts'

const WRONG = {
  LOG_LEVEL: 'loud',
  METRICS_PORT: 'x',
  SOURCES: 'sandbx',
  FACILITATOR_PORT: 'x',
  PORT: 'x',
  OIDC_ISSUER: 'x',
  API_PORT: 'abc',
  GATEWAY_PORT: 'abc',
  METER_DATABSE_URL: 'postgres://x',
}

test.each([
  ['api/main.ts', ['API_PORT', 'API_DATABASE_URL', 'METRICS_PORT', 'SOURCES', 'LOG_LEVEL', 'OIDC_ISSUER']],
  ['gateway/main.ts', ['GATEWAY_PORT', 'GATEWAY_DATABASE_URL', 'X402_PAY_TO', 'METRICS_PORT', 'SOURCES']],
  [
    'activities/worker.ts',
    ['INGEST_DATABASE_URL', 'TEMPORAL_ADDRESS', 'METRICS_PORT', 'LOG_LEVEL', 'SOURCES'],
  ],
  [
    'sandbox/facilitator/main.ts',
    ['FACILITATOR_PORT', 'FACILITATOR_KEY', 'RPC_URL_BASE_WALLET', 'LOG_LEVEL'],
  ],
  ['web/issuer/main.ts', ['OIDC_ISSUER', 'ISSUER_KEYS', 'ISSUER_DATABASE_URL', 'ACCOUNT_URL', 'LOG_LEVEL']],
  ['sandbox/main.ts', ['PORT']],
])('%s lists all wrong and missing settings and exits with code 1', (main, names) => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../..', main)], {
    env: { ...BARE_ENVIRONMENT, ...WRONG },
    encoding: 'utf8',
    timeout: 200_000,
  })
  expect([status, stderr]).toEqual([1, expect.not.stringMatching(/^ {4}at /m)])
  for (const name of names) expect(stderr).toMatch(new RegExp(`^  ${name} is `, 'm'))
  if (main === 'api/main.ts')
    expect(stderr).toContain(
      'METER_DATABASE_URL is not set (METER_DATABSE_URL is: did you mean METER_DATABASE_URL?)',
    )
})
