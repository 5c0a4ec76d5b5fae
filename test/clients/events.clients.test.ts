import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { documentedReceiver } from '../events/documented-programs.ts'
import { startedProgram } from '../events/started-program.ts'
import { installPythonTool } from '../oracles/install-python-tool.ts'
import { countCalls } from './count-calls.ts'
import { findRuby } from './find-ruby.ts'
import { type Event, startPaidWallet } from './paid-wallet.ts'
import { type ByteRecorder, startByteRecorder } from './record-bytes.ts'
import { startRelay } from './relay.ts'

// Programs that were written from docs/events.md alone get what happens on a chain: receivers
// that stand in the page, as they stand there, and readers that need no package.

const installation = inject('installation')
const python = await installPythonTool({
  name: 'standardwebhooks-1.1.0',
  requirements: ['standardwebhooks==1.1.0'],
})
const log = (line: string) => console.log(line)
const RECEIVERS = [
  {
    name: 'standardwebhooks of npm',
    receiver: await documentedReceiver({ kind: 'ts', program: process.execPath }),
  },
  {
    name: 'standardwebhooks of PyPI',
    receiver: await documentedReceiver({ kind: 'python', program: join(python, 'python3') }),
  },
]
const STREAMS = [
  {
    name: 'Python urllib.request',
    client: startedProgram({ program: 'python3', file: join(import.meta.dirname, 'event_stream.py') }),
  },
  {
    name: 'Ruby net/http',
    client: startedProgram({
      program: await findRuby({ env: process.env, log }),
      file: join(import.meta.dirname, 'event_stream.rb'),
    }),
  },
]
let customer: Awaited<ReturnType<typeof startPaidWallet>>
beforeAll(async () => {
  customer = await startPaidWallet(installation)
})

const eventOf = (line: string) => JSON.parse(line.slice(line.indexOf(' ') + 1)) as Event
const hashesOf = (lines: readonly string[]) =>
  lines.flatMap((line) => eventOf(line).data.transaction?.hash.id ?? [])

describe.each(RECEIVERS)('a receiver with $name', ({ name, receiver }) => {
  let relay: Awaited<ReturnType<typeof startRelay>>
  let endpoint: { id: string; secret: string }
  countCalls({ name, part: 'webhooks', calls: () => relay?.got.length ?? 0 })
  beforeAll(async () => {
    const port = installation.webhookPorts[RECEIVERS.findIndex((one) => one.name === name)]!
    relay = await startRelay({ port, to: receiver.url })
    endpoint = await customer.call('POST', '/webhooks', {
      url: `${relay.url}/in`,
      types: ['wallet.transaction'],
      wallets: [customer.place],
    })
    receiver.start(endpoint.secret)
    await receiver.ready()
  })
  afterAll(async () => {
    await customer?.call('DELETE', `/webhooks/${endpoint.id}`)
    await relay?.stop()
  })

  test('E1 answers the ping, and gets a transaction that was just mined', async () => {
    await expect
      .poll(async () => (await customer.call('GET', `/webhooks/${endpoint.id}`)).state)
      .toBe('active')
    const hash = await customer.pay()
    await expect.poll(() => hashesOf(receiver.printed)).toEqual([hash])
    expect(relay.got.at(-1)!.status).toBe(204)
  })

  test('E1 handles an event once that comes again after a failure, with the same id and bytes', async () => {
    const before = relay.got.length
    relay.failNext()
    const hash = await customer.pay()
    await expect.poll(() => relay.got.length).toBe(before + 2)
    const [first, second] = relay.got.slice(before)
    expect([second!.body, second!.headers['webhook-id'], second!.status]).toEqual([
      first!.body,
      first!.headers['webhook-id'],
      204,
    ])
    expect(hashesOf(receiver.printed).filter((one) => one === hash)).toHaveLength(1)
  })

  test('E1 case 44 refuses a body that was changed, an old timestamp and another secret', async () => {
    const { body, headers } = relay.got.at(-1)!
    const printed = receiver.printed.length
    const post = async (sent: string, signed: Record<string, string>) =>
      (await fetch(relay.url, { method: 'POST', headers: signed, body: sent })).status
    const signed = (secret: string, at: Date) => ({
      'webhook-id': 'evt_forged',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('evt_forged', at, body),
    })
    const other = Buffer.alloc(32, 1).toString('base64')
    expect(await post(body.replace('"wallet.transaction"', '"wallet.balance"'), headers)).toBe(400)
    expect(await post(body, { ...headers, 'webhook-id': 'evt_other' })).toBe(400)
    expect(await post(body, signed(endpoint.secret, new Date(Date.now() - 360_000)))).toBe(400)
    expect(await post(body, signed(other, new Date()))).toBe(400)
    expect(await post(body, {})).toBe(400)
    // The same request as it came is genuine, and was handled already.
    expect(await post(body, headers)).toBe(204)
    expect(receiver.printed).toHaveLength(printed)
  })
})

describe.each(STREAMS)('a stream read by $name', ({ name, client }) => {
  let recorder: ByteRecorder
  let sent = ''
  const requests = () =>
    [...(sent += recorder?.sent() ?? '').matchAll(/^GET .*?\r\n\r\n/gms)].map(([one]) => one)
  countCalls({ name, part: 'event stream', calls: () => requests().length })
  beforeAll(async () => {
    recorder = await startByteRecorder(Number(new URL(installation.url).port))
    client.start({ API: `http://127.0.0.1:${recorder.port}/v1`, KEY: customer.key })
  })
  afterAll(() => recorder?.stop())

  test('E1 gets each event of the account once, in order, also those of a broken connection', async () => {
    await expect.poll(() => requests().length).toBe(1)
    // The stream begins with what happens once it is open.
    await expect
      .poll(async () => {
        await customer.pay()
        return client.printed.length
      })
      .toBeGreaterThan(0)
    await recorder.close()
    const last = eventOf(client.printed.at(-1)!).seq
    const missed = await customer.pay()
    expect(hashesOf(client.printed)).not.toContain(missed)
    await recorder.open()
    await expect.poll(() => hashesOf(client.printed)).toContain(missed)
    const afterBreak = await customer.pay()
    await expect.poll(() => hashesOf(client.printed)).toContain(afterBreak)
    const events = client.printed.map(eventOf)
    const told = await customer.eventsFrom(events[0]!.seq)
    expect(events.map(({ id }) => id)).toEqual(told.slice(0, events.length).map(({ id }) => id))
    expect(requests().at(-1)).toMatch(new RegExp(`^last-event-id: ${last}\r$`, 'im'))
  })
})
