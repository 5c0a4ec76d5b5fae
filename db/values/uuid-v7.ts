import { randomUUID } from 'node:crypto'

/** A UUID that begins with the time (RFC 9562, version 7): an index of them grows at its right edge. */
export function uuidV7(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
