import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import * as areas from '../../activities/areas.ts'
import { html } from '../../web/parts/html.ts'
import { sendPage } from '../../web/parts/send-page.ts'
import { offSources, sourcesPart, type ShownSource } from '../../web/console/sources-part.ts'
import { schedulesPart } from '../../web/console/workflows-part.ts'

/** What a page may weigh without pictures and the library of charts; headers, tiles and other parts take the rest. */
const MOST_BYTES = 50 * 1_024
const OTHER_PARTS = 6 * 1_024

const at = new Date('2026-11-28T10:00:00Z')
const hours = (requests: number) => Array.from({ length: 24 }, (_, hour) => requests + (hour % 7))

/** A source of the sandbox after a day in which some requests of most hours failed. */
const busySource = (area: string, name: string): ShownSource => ({
  settings: { name, area, freshnessTargetSeconds: 1_800, missing: null } as ShownSource['settings'],
  health: {
    lastSuccessAt: at,
    lastFailureAt: null,
    lastFailure: null,
    requestsByHour: hours(120),
    failuresByHour: hours(0),
    requests24h: 2_952,
    failures24h: 72,
    quarantined: 12,
  } as unknown as NonNullable<ShownSource['health']>,
  state: {
    state: 'active',
    isLate: false,
    lagSeconds: 300,
    budgetLeft: '8,192 of 10,000',
  } as unknown as ShownSource['state'],
})

test('the console stays under 50 kB with every source and schedule of the sandbox after a busy day', async () => {
  const all = Object.values(areas)
  const sources = all.flatMap(({ name, sources: own }) =>
    own.filter(({ sandbox }) => sandbox).map((source) => busySource(name, source.name)),
  )
  const schedules = all.flatMap(({ schedules: own }) => own)
  expect(sources.length).toBeGreaterThan(20)
  expect(schedules.length).toBeGreaterThan(20)
  const state = {
    schedules: schedules.map(({ id, everySeconds }) => ({
      id,
      everySeconds,
      isPaused: false,
      waitsForFirstRun: false,
      note: null,
      lastAt: at,
      lastStatus: 'COMPLETED',
      lastUrl: null,
      nextAt: at,
    })),
    running: [],
    runningByType: [],
    failed: [],
    queues: [],
  }
  const parts = [sourcesPart(sources, at), offSources(sources), schedulesPart(state, { at })]
  const body = html`${parts}`
  const app = fastify()
  app.get('/', (_request, reply) => sendPage(reply, { title: 'Overview', body, compressed: true }))
  const ask = (encoding: string) => app.inject({ url: '/', headers: { 'accept-encoding': encoding } })
  const [sent, plain] = [await ask('gzip, br'), await ask('br, gzip;q=0')]
  expect([sent.headers['content-encoding'], plain.headers['content-encoding']]).toEqual(['gzip', undefined])
  expect(gunzipSync(sent.rawPayload).toString()).toBe(plain.body)
  const script = readFileSync(new URL('../../web/console/live.js', import.meta.url))
  expect(sent.rawPayload.length + script.length + OTHER_PARTS).toBeLessThan(MOST_BYTES)
})
