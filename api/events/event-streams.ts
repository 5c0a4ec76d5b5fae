import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type EventFilter,
  type NumberedEvent,
  readEventRange,
  readEvents,
  readNewEvents,
  type RoutedEvent,
} from '../../db/events/read-events.ts'
import type { ReadonlyDb } from '../../db/schema.ts'

export interface EventStreams {
  /** A stream of events after a number. */
  open: (reader: { filter: EventFilter; after: string }) => Readable
  /** Open streams of an account in this process. */
  count: (accountId: string) => number
  /** Ends all of them. */
  close: () => void
}

interface StreamTimes {
  pollMs: number
  heartbeatMs: number
  longestMs: number
}

const TIMES: StreamTimes = { pollMs: 100, heartbeatMs: 15_000, longestMs: 3_600_000 }
/** A reader that leaves more than this unread is cut off, and resumes where it was. */
const MOST_UNREAD_BYTES = 1_000_000
/** Of one statement. An event has at most 20 kB, so a page alone is not too much for a reader. */
const PAGE = 40
/** Longest wait until all readers have taken a page, before the next one of a burst. */
const BURST_PAUSE_MS = 250
const BURST_POLL_MS = 10

const BEAT = Buffer.from(':\n\n')

interface Listener {
  filter: EventFilter
  /** Number of the last event that it has or does not want. */
  last: bigint
  stream: Readable
}

/**
 * The streams of one process. While there are any, one statement asks for the events of all of them; no
 * stream holds a connection. Notifications of Postgres would not pass a transaction pooler.
 */
export function createEventStreams(deps: { db: ReadonlyDb; times?: Partial<StreamTimes> }): EventStreams {
  const { db } = deps
  const times = { ...TIMES, ...deps.times }
  /** Those that read on by themselves are not among them yet. */
  const listeners = new Set<Listener>()
  const open = new Map<Readable, { accountId: string; endsAtMs: number }>()
  let beating: NodeJS.Timeout | null = null
  let cursor = 0n
  let polling: Promise<void> | null = null
  let isScheduled = false

  /** Returns the pause before the next poll. */
  async function poll(): Promise<number> {
    const accountIds = [...new Set([...listeners].map(({ filter }) => filter.accountId))]
    const { events, through } = await readNewEvents(db, {
      accountIds,
      after: cursor.toString(),
      limit: PAGE,
    })
    for (const event of events) {
      const bytes = bytesOf(event)
      for (const listener of listeners) if (wants(listener, event)) send(listener, event, bytes)
    }
    cursor = BigInt(through)
    if (events.length < PAGE) return times.pollMs
    const endMs = performance.now() + BURST_PAUSE_MS
    const isUnread = () => [...listeners].some(({ stream }) => stream.readableLength > 0)
    while (isUnread() && performance.now() < endMs) await sleep(BURST_POLL_MS)
    return 0
  }

  function schedulePoll(pauseMs = times.pollMs): void {
    if (isScheduled || listeners.size === 0) return
    isScheduled = true
    setTimeout(() => {
      // Without a database the streams stay open and go on when it answers.
      polling = poll()
        .catch(() => times.pollMs)
        .then((nextMs) => {
          polling = null
          isScheduled = false
          schedulePoll(nextMs)
        })
    }, pauseMs)
  }

  /** Reads what is stored, and joins those who wait for more when it misses nothing that they have had. */
  async function join(listener: Listener): Promise<void> {
    const { stream } = listener
    while (!stream.destroyed) {
      await readOn(db, listener)
      while (polling) await polling
      if (stream.destroyed) return
      if (listeners.size === 0) cursor = listener.last
      if (listener.last < cursor) continue
      listeners.add(listener)
      schedulePoll()
      return
    }
  }

  /** One timer keeps all streams alive, and ends those that are old. */
  function beat(): void {
    const nowMs = performance.now()
    for (const [stream, { endsAtMs }] of open) stream.push(nowMs < endsAtMs ? BEAT : null)
  }

  function forget(listener: Listener): void {
    open.delete(listener.stream)
    listeners.delete(listener)
    if (open.size > 0 || !beating) return
    clearInterval(beating)
    beating = null
  }

  return {
    open({ filter, after }) {
      const stream = new Readable({ read() {}, highWaterMark: 64 * 1024 })
      const listener = { filter, last: BigInt(after), stream }
      open.set(stream, { accountId: filter.accountId, endsAtMs: performance.now() + times.longestMs })
      beating ??= setInterval(beat, times.heartbeatMs)
      stream.once('close', () => forget(listener))
      // A client that breaks off before its first event goes on from here.
      stream.push(`retry: 3000\nid: ${after}\n\n`)
      // The client resumes by itself.
      join(listener).catch(() => stream.destroy())
      return stream
    },
    count: (accountId) => [...open.values()].filter((one) => one.accountId === accountId).length,
    close() {
      // A client that does not read would keep the server open.
      for (const stream of open.keys()) {
        if (stream.readableLength > 0) stream.destroy()
        else stream.push(null)
      }
    },
  }
}

/** Sends what is stored after the last event of a reader, as fast as it reads. */
async function readOn(db: ReadonlyDb, listener: Listener): Promise<void> {
  const { filter, stream } = listener
  const { newest } = await readEventRange(db, filter.accountId)
  for (let isMore = true; isMore && !stream.destroyed;) {
    const page = await readEvents(db, { ...filter, after: listener.last.toString(), limit: PAGE })
    for (const event of page) send(listener, event, bytesOf(event))
    isMore = page.length === PAGE
    if (isMore) await untilRead(stream)
  }
  if (listener.last < BigInt(newest)) listener.last = BigInt(newest)
}

/** Waits until the reader has taken what is pushed, or has left. */
async function untilRead(stream: Readable): Promise<void> {
  while (stream.readableLength > 0 && !stream.destroyed) await sleep(BURST_POLL_MS)
}

function wants({ filter, last }: Listener, event: RoutedEvent): boolean {
  return (
    event.accountId === filter.accountId &&
    BigInt(event.seq) > last &&
    (filter.types === null || filter.types.includes(event.type)) &&
    (filter.addresses === null || (event.address !== null && filter.addresses.includes(event.address)))
  )
}

/** The bytes are shared by all streams that send them. */
function send(listener: Listener, event: NumberedEvent, bytes: Buffer): void {
  listener.last = BigInt(event.seq)
  listener.stream.push(bytes)
  if (listener.stream.readableLength > MOST_UNREAD_BYTES) listener.stream.destroy()
}

const bytesOf = ({ seq, type, body }: NumberedEvent): Buffer =>
  Buffer.from(`id: ${seq}\nevent: ${type}\ndata: ${body}\n\n`)
