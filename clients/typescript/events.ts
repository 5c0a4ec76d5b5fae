import type { Webhooks } from './api-types.ts'

// These files have no dependencies and run wherever Web Crypto exists.

export type EventType = keyof Webhooks

/** An event, or one of some types, as webhooks post it and as streams and pages carry it. */
export type SluiceEvent<Type extends EventType = EventType> = {
  [T in Type]: Webhooks[T]['post']['requestBody']['content']['application/json']
}[Type]

/** A request that an endpoint must refuse: it is not from Sluice, it was changed, or it is too old. */
export class UnverifiedEvent extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnverifiedEvent'
  }
}

/** Longest difference between the clock of this machine and the time of an attempt, in seconds. */
const TOLERANCE_S = 300

/**
 * Checks a request to a webhook endpoint by Standard Webhooks and returns its event. `body` is the text as it
 * came, `headers` those of a Fetch request or of Node. Rejects with UnverifiedEvent. A type that is newer than
 * this file comes as it is.
 */
export async function verifyEvent(request: {
  body: string
  headers: Headers | Record<string, string | string[] | undefined>
  /** whsec_... */
  secret: string
}): Promise<SluiceEvent> {
  const { body, headers, secret } = request
  const read = (name: string) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name]
    if (typeof value !== 'string') throw new UnverifiedEvent(`The header ${name} is missing`)
    return value
  }
  const [id, timestamp, signatures] = [
    read('webhook-id'),
    read('webhook-timestamp'),
    read('webhook-signature'),
  ]
  const ageS = Date.now() / 1_000 - Number(timestamp)
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(ageS) > TOLERANCE_S)
    throw new UnverifiedEvent('The request is too old, or the clock of this machine is wrong')
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  // After a rotation there are two.
  for (const [, mac] of signatures.matchAll(/(?:^| )v1,([A-Za-z0-9+/]{43}=)(?= |$)/g))
    if (await crypto.subtle.verify('HMAC', key, bytesOf(mac!), signed)) return JSON.parse(body) as SluiceEvent
  throw new UnverifiedEvent('No signature is right')
}

/** `verify` compares in constant time. */
const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
