import type { z } from 'zod'
import { parseInput } from '../parse-input.ts'
import type { alertBody } from './alert.ts'
import { postAlert } from './post-alert.ts'

/** Reads an alert from fields that a form or a command line gives. Throws the 400 of POST /alerts. */
export function parseAlert(fields: Record<string, unknown>): z.output<typeof alertBody> {
  const { body } = parseInput(postAlert, { path: {}, query: {}, headers: {}, body: fields })
  return body as z.output<typeof alertBody>
}
