import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createHttpServer } from '../../api/http-server.ts'

/**
 * The client address of a request from this machine with X-Forwarded-For. Wrong keys are counted per address.
 */
async function addressOf(forwardedFor: string, trustedProxies?: string): Promise<string> {
  const { app, addPath } = createHttpServer({
    now: () => new Date(),
    logger: pino({ level: 'silent' }),
    headers: {},
    head: false,
    ...(trustedProxies && { trustedProxies }),
  })
  addPath({
    url: '/ip',
    served: [{ method: 'GET', handler: async (request, reply) => reply.send(request.ip) }],
  })
  const answer = await app.inject({ url: '/ip', headers: { 'x-forwarded-for': forwardedFor } })
  await app.close()
  return answer.body
}

test('X-Forwarded-For of a trusted proxy, and of the trusted proxy before it, is used', async () => {
  expect(await addressOf('203.0.113.1', 'loopback')).toBe('203.0.113.1')
  expect(await addressOf('203.0.113.1, 10.0.0.9', 'loopback,uniquelocal')).toBe('203.0.113.1')
})

test('X-Forwarded-For of an untrusted client is ignored', async () => {
  expect(await addressOf('203.0.113.1')).toBe('127.0.0.1')
  expect(await addressOf('203.0.113.1', '192.0.2.0/24')).toBe('127.0.0.1')
  expect(await addressOf('198.51.100.7, 203.0.113.1', 'loopback')).toBe('203.0.113.1')
})
