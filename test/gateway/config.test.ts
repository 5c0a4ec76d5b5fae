import { expect, test } from 'vitest'
import { readGatewayConfig } from '../../gateway/config.ts'

const SECRET = 'a secret of thirty-two characters'
const env = {
  API_DATABASE_URL: 'postgres://api@x/y',
  GATEWAY_DATABASE_URL: 'postgres://gateway@x/y',
  X402_PUBLIC_URL: 'https://pay.example.org/',
  X402_PAY_TO: `0x${'9a'.repeat(20)}`,
  X402_FACILITATOR_URL: 'https://facilitator.example.org',
  X402_COOKIE_SECRETS: `b:${SECRET}:x,a:${SECRET}`,
}

test('settings are read, and the others have defaults', () => {
  expect(readGatewayConfig({ ...env, X402_RPC_URL: '', SOURCES: 'live' })).toEqual({
    host: '127.0.0.1',
    port: 8_402,
    pricing: 'flat',
    cookieScope: 'tier',
    cookieRequestsPerSecond: 10,
    replaySeconds: 300,
    servesElsewhere: false,
    reorgBlocks: 450,
    firstReadWaitMs: 8_000,
    keptBytes: 128 * 1024 * 1024,
    installation: null,
    databaseUrl: env.API_DATABASE_URL,
    gatewayDatabaseUrl: env.GATEWAY_DATABASE_URL,
    publicUrl: 'https://pay.example.org',
    payTo: env.X402_PAY_TO,
    sandbox: false,
    logLevel: 'info',
    facilitatorUrl: env.X402_FACILITATOR_URL,
    cookieSecrets: [
      { kid: 'b', secret: `${SECRET}:x` },
      { kid: 'a', secret: SECRET },
    ],
  })
})

test.each([
  ['X402_PAY_TO', '0x9a'],
  ['X402_PAY_TO', ''],
  ['X402_PUBLIC_URL', 'pay.example.org'],
  ['X402_FACILITATOR_URL', 'http://facilitator.example.org'],
  ['X402_RPC_URL', 'http://node.example.org'],
  ['X402_COOKIE_SECRETS', 'a:short'],
  ['X402_COOKIE_SECRETS', SECRET],
  ['X402_COOKIE_SECRETS', `a:${SECRET},a:${SECRET}`],
  ['X402_COOKIE_SCOPE', 'all'],
  ['X402_COOKIE_RPS', '0'],
  ['X402_REPLAY_SECONDS', '5'],
  ['X402_REPLAY_SECONDS', '3601'],
  ['X402_SETTLED_ELSEWHERE', 'yes'],
  ['X402_REORG_BLOCKS', '0'],
])('%s = %j is refused with an error that names it', (name, value) => {
  expect(() => readGatewayConfig({ ...env, [name]: value })).toThrow(`  ${name} is `)
})

test('a facilitator on this machine needs no TLS', () => {
  for (const host of ['127.0.0.1:18402', 'localhost:1', '[::1]:2'])
    expect(readGatewayConfig({ ...env, X402_FACILITATOR_URL: `http://${host}` }).facilitatorUrl).toContain(
      host,
    )
})
