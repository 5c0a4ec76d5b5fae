import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { settingsIn } from '../../cli/check-environment.ts'
import { operatorEnvironment } from '../../cli/operator-environment.ts'
import { createSecrets } from '../../cli/secrets.ts'
import { markOf } from '../../cli/supervisor/process-mark.ts'
import { claimRun } from '../../cli/supervisor/run-file.ts'

const home = mkdtempSync(join(tmpdir(), 'sluice-operator-'))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true })
})

test('commands see what the installation was started with, and what this shell overrides', () => {
  const given = {
    COINGECKO_API_KEY: 'of the start',
    RPC_URL_POLYGON_WALLET: 'https://node.example/key',
    X402_PAY_TO: '0x00000000000000000000000000000000000000aa',
    EDITOR: 'vi',
    NEWS_LANGUAGE: '',
  }
  const settings = settingsIn(given)
  expect(settings).toEqual({
    COINGECKO_API_KEY: given.COINGECKO_API_KEY,
    RPC_URL_POLYGON_WALLET: given.RPC_URL_POLYGON_WALLET,
    X402_PAY_TO: given.X402_PAY_TO,
  })
  const ports = { api: 1, gateway: 2, postgres: 3, sandbox: 4, facilitator: 5, 'base-wallet': 6, ethereum: 7 }
  const mark = markOf(process.pid)!
  createSecrets(home)
  claimRun(home, {
    supervisor: mark,
    children: {},
    ports,
    temporalAddress: '127.0.0.1:7233',
    sources: 'sandbox',
    settings,
  })
  vi.stubEnv('SLUICE_HOME', home)
  vi.stubEnv('RPC_URL_POLYGON_WALLET', 'https://other.example')
  expect(operatorEnvironment()).toMatchObject({
    COINGECKO_API_KEY: given.COINGECKO_API_KEY,
    RPC_URL_POLYGON_WALLET: 'https://other.example',
    X402_PAY_TO: given.X402_PAY_TO,
  })
})
