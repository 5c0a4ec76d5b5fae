import { reasonOf } from '../explain-error.ts'

/** Result of one check. `mend`: what to do after a warning or a failure. `unasked`: nobody knows yet. */
export interface Finding {
  check: string
  state: 'ok' | 'unasked' | 'warn' | 'fail'
  detail: string
  mend?: string
}

export const ok = (check: string, detail: string): Finding => ({ check, state: 'ok', detail })
export const unasked = (check: string, detail: string): Finding => ({ check, state: 'unasked', detail })
export const warn = (check: string, detail: string, mend: string): Finding => ({
  check,
  state: 'warn',
  detail,
  mend,
})
export const fail = (check: string, detail: string, mend: string): Finding => ({
  check,
  state: 'fail',
  detail,
  mend,
})

/** Runs a check; an error becomes a failed finding. */
export async function attempt(
  check: string,
  work: () => Promise<Finding | Finding[]>,
  mend: string,
): Promise<Finding[]> {
  try {
    return [await work()].flat()
  } catch (error) {
    return [fail(check, reasonOf(error), mend)]
  }
}
